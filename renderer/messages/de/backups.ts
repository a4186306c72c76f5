/** Texts about backups in German. */
import type { backupMessages as english } from '../en-backups.ts';
import type { Translated } from '../message.ts';

export const backupMessages = {
  'backups.place': 'Datenordner',
  'backups.title': 'Sicherungen',
  'backups.what':
    'Der erste Start eines Tages legt eine an: Vorlagen mit ihren Versionen, Feeds, Projekte, Schlüssel, Einstellungen, die Liste der Renderings, Medien und hinzugefügte Schriften. Fertige Dateien sind nicht dabei. Auf demselben Laufwerk brauchen Medien und Schriften keinen eigenen Platz, solange sie benutzt werden.',
  'backups.make': 'Jetzt sichern',
  'backups.making': 'Wird gesichert…',
  'backups.made': 'Die Sicherung ist angelegt.',
  'backups.folder': 'Ordner für „Jetzt sichern“',
  'backups.folder.hint':
    'Eine Sicherung auf einem anderen Laufwerk hilft, wenn dieses verloren geht. Medien und Schriften werden einmal dorthin kopiert, wenn das Laufwerk Dateien verknüpfen kann. In einem Ordner deiner Wahl löschst nur du Sicherungen.',
  'backups.folder.none': 'Im Datenordner; die neuesten 10 bleiben',
  'backups.none': 'Es gibt noch keine Sicherung.',
  'backups.database':
    'Die Daten liegen in einer Datenbank. Sichere sie mit deren eigenen Werkzeugen.',
  'backups.kind.day': 'Vom Tag',
  'backups.kind.upgrade': 'Vor einer Umstellung',
  'backups.kind.own': 'Von Hand',
  'backups.kind.replaced': 'Beim Wiederherstellen ersetzt',
  'backups.templates': { one: '{count} Vorlage', other: '{count} Vorlagen' },
  'backups.feeds': { one: '{count} Feed', other: '{count} Feeds' },
  'backups.uncounted': 'Nicht gezählt',
  'backups.contents': {
    one: '{count} Medium oder Schrift, {size}',
    other: '{count} Medien und Schriften, {size}',
  },
  'backups.noContents': 'ohne Medien und Schriften',
  'backups.more': { one: '{count} ältere zeigen', other: '{count} ältere zeigen' },
  'backups.restore': 'Wiederherstellen…',
  'backups.restore.name': 'Sicherung wiederherstellen: {time}…',
  'backups.remove.name': 'Sicherung löschen: {time}, {kind}…',
  'backups.remove.ask': 'Diese Sicherung löschen?',
  'backups.remove.text':
    '{kind}, {time}. Das lässt sich nicht rückgängig machen. Die Daten und die anderen Sicherungen bleiben, wie sie sind.',
  'backups.remove.yes': 'Löschen',
  'backups.removed': 'Die Sicherung ist gelöscht.',
  'space.title': 'Platz auf dem Laufwerk',
  'space.kind': 'Art',
  'space.files': 'Dateien',
  'space.size': 'Größe',
  'space.renders': 'Fertige Renderings',
  'space.media': 'Medien',
  'space.fonts': 'Hinzugefügte Schriften',
  'space.records': 'Vorlagen, Feeds und Datensätze',
  'space.backups': 'Sicherungen',
  'space.cache': 'Zwischenspeicher und Vorschauen',
  'space.whole': 'Zusammen',
  'space.count': { one: '{count} Datei', other: '{count} Dateien' },
  'space.hint':
    'Zwischenspeicher entstehen von selbst neu, wenn sie gebraucht werden. Was eine Sicherung mit den Daten teilt, zählt einmal.',
  'space.measure': 'Neu messen',
  'space.measuring': 'Wird gemessen…',
  'reset.ask': 'Einstellungen zurücksetzen…',
  'reset.title': 'Alle Einstellungen zurücksetzen?',
  'reset.text':
    'Sie werden, wie sie am Anfang waren, auch der Port der API und die Ordner. Vorlagen, Renderings, Medien, Schlüssel, die Sprache und deine Tastenkürzel bleiben.',
  'reset.yes': 'Zurücksetzen',
  'reset.done': 'Die Einstellungen sind zurückgesetzt.',
  'restore.title': 'Diese Sicherung wiederherstellen?',
  'restore.what': 'Was wiederhergestellt wird',
  'restore.work': 'Vorlagen und Feeds',
  'restore.work.text':
    'Versionen kommen mit ihren Vorlagen, fehlende Medien und Schriften kommen zurück. Renderings, Schlüssel und Einstellungen bleiben, wie sie sind.',
  'restore.all': 'Alles',
  'restore.all.text':
    'Auch Renderings, Schlüssel und Einstellungen. Seitdem gelöschte Schlüssel gelten wieder, und die Warteschlange wird angehalten.',
  'restore.replaced': 'Was ersetzt wird',
  'restore.now': 'Jetzt',
  'restore.then': 'Sicherung',
  'restore.unknown': 'unbekannt',
  'restore.same': 'unverändert',
  'restore.templates': 'Vorlagen',
  'restore.feeds': 'Feeds',
  'restore.renders': 'Renderings',
  'restore.keys': 'Schlüssel',
  'restore.running': {
    one: '{count} Rendering läuft. Es kommt zurück in die Warteschlange und beginnt von vorn.',
    other:
      '{count} Renderings laufen. Sie kommen zurück in die Warteschlange und beginnen von vorn.',
  },
  'restore.runningAll': {
    one: '{count} Rendering läuft und wird beendet. Es bleibt nur in der Liste, wenn die Sicherung es enthält.',
    other:
      '{count} Renderings laufen und werden beendet. Sie bleiben nur in der Liste, wenn die Sicherung sie enthält.',
  },
  'restore.kept':
    'Was ersetzt wird, wird selbst zu einer Sicherung. Framewright startet dafür neu.',
  'restore.yes': 'Wiederherstellen',
  'restore.going': 'Die Sicherung wird wiederhergestellt…',
  'restore.later': 'Der nächste Start von Framewright stellt die Sicherung wieder her.',
} as const satisfies Translated<typeof english>;
