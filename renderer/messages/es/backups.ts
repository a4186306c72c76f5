/** Texts about backups in Spanish. */
import type { backupMessages as english } from '../en-backups.ts';
import type { Translated } from '../message.ts';

export const backupMessages = {
  'backups.place': 'Carpeta de datos',
  'backups.title': 'Copias de seguridad',
  'backups.what':
    'El primer inicio del día crea una: plantillas con sus versiones, feeds, proyectos, claves, ajustes, la lista de renders, medios y fuentes añadidas. Los archivos terminados no están incluidos. En la misma unidad, los medios y las fuentes no ocupan espacio propio mientras siguen en uso.',
  'backups.make': 'Hacer una copia ahora',
  'backups.making': 'Haciendo la copia…',
  'backups.made': 'La copia está hecha.',
  'backups.folder': 'Carpeta para «Hacer una copia ahora»',
  'backups.folder.hint':
    'Una copia en otra unidad ayuda si esta se pierde. Los medios y las fuentes se copian allí una sola vez, si la unidad admite enlaces. En una carpeta que elijas, las copias solo las eliminas tú.',
  'backups.folder.none': 'En la carpeta de datos; se conservan las 10 más recientes',
  'backups.none': 'Aún no hay copias de seguridad.',
  'backups.database':
    'Los datos están en una base de datos. Haz la copia con sus propias herramientas.',
  'backups.kind.day': 'Del día',
  'backups.kind.upgrade': 'Antes de una actualización',
  'backups.kind.own': 'Hecha a mano',
  'backups.kind.replaced': 'Sustituida al restaurar',
  'backups.templates': { one: '{count} plantilla', other: '{count} plantillas' },
  'backups.feeds': { one: '{count} feed', other: '{count} feeds' },
  'backups.uncounted': 'Sin contar',
  'backups.contents': {
    one: '{count} medio o fuente, {size}',
    other: '{count} medios y fuentes, {size}',
  },
  'backups.noContents': 'sin medios ni fuentes',
  'backups.more': { one: 'Mostrar {count} más antigua', other: 'Mostrar {count} más antiguas' },
  'backups.restore': 'Restaurar…',
  'backups.restore.name': 'Restaurar la copia: {time}…',
  'backups.remove.name': 'Eliminar la copia: {time}, {kind}…',
  'backups.remove.ask': '¿Eliminar esta copia de seguridad?',
  'backups.remove.text':
    '{kind}, {time}. No se puede deshacer. Los datos y las demás copias se quedan como están.',
  'backups.remove.yes': 'Eliminar',
  'backups.removed': 'La copia está eliminada.',
  'space.title': 'Espacio en el disco',
  'space.kind': 'Tipo',
  'space.files': 'Archivos',
  'space.size': 'Tamaño',
  'space.renders': 'Renders terminados',
  'space.media': 'Medios',
  'space.fonts': 'Fuentes añadidas',
  'space.records': 'Plantillas, feeds y registros',
  'space.backups': 'Copias de seguridad',
  'space.cache': 'Cachés y vistas previas',
  'space.whole': 'En total',
  'space.count': { one: '{count} archivo', other: '{count} archivos' },
  'space.hint':
    'Las cachés se crean de nuevo cuando hacen falta. Lo que una copia comparte con los datos cuenta una sola vez.',
  'space.measure': 'Medir de nuevo',
  'space.measuring': 'Midiendo…',
  'reset.ask': 'Restablecer ajustes…',
  'reset.title': '¿Restablecer todos los ajustes?',
  'reset.text':
    'Vuelven a ser como al principio, también el puerto de la API y las carpetas. Las plantillas, los renders, los medios, las claves, el idioma y tus atajos se conservan.',
  'reset.yes': 'Restablecer',
  'reset.done': 'Los ajustes se han restablecido.',
  'restore.title': '¿Restaurar esta copia?',
  'restore.what': 'Qué se restaura',
  'restore.work': 'Plantillas y feeds',
  'restore.work.text':
    'Las versiones vienen con sus plantillas, y los medios y las fuentes que faltan vuelven. Los renders, las claves y los ajustes quedan como están.',
  'restore.all': 'Todo',
  'restore.all.text':
    'También renders, claves y ajustes. Las claves borradas desde entonces vuelven a valer y la cola queda en pausa.',
  'restore.replaced': 'Qué se sustituye',
  'restore.now': 'Ahora',
  'restore.then': 'Copia',
  'restore.unknown': 'desconocido',
  'restore.same': 'sin cambios',
  'restore.templates': 'Plantillas',
  'restore.feeds': 'Feeds',
  'restore.renders': 'Renders',
  'restore.keys': 'Claves',
  'restore.running': {
    one: '{count} render está en marcha. Vuelve a la cola y empieza de nuevo.',
    other: '{count} renders están en marcha. Vuelven a la cola y empiezan de nuevo.',
  },
  'restore.runningAll': {
    one: '{count} render está en marcha y se detiene. Solo queda en la lista si la copia lo tiene.',
    other:
      '{count} renders están en marcha y se detienen. Solo quedan en la lista si la copia los tiene.',
  },
  'restore.kept': 'Lo sustituido también pasa a ser una copia. Framewright se reinicia para ello.',
  'restore.yes': 'Restaurar',
  'restore.going': 'Restaurando la copia…',
  'restore.later': 'El próximo inicio de Framewright restaura la copia.',
} as const satisfies Translated<typeof english>;
