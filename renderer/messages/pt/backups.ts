/** Texts about backups in Portuguese. */
import type { backupMessages as english } from '../en-backups.ts';
import type { Translated } from '../message.ts';

export const backupMessages = {
  'backups.place': 'Pasta de dados',
  'backups.title': 'Backups',
  'backups.what':
    'O primeiro início do dia cria um: modelos com suas versões, feeds, projetos, chaves, configurações e a lista de renders. Arquivos prontos e mídias não fazem parte dele.',
  'backups.make': 'Fazer backup agora',
  'backups.making': 'Fazendo o backup…',
  'backups.made': 'O backup está feito.',
  'backups.folder': 'Pasta para “Fazer backup agora”',
  'backups.folder.hint':
    'Um backup em outra unidade ajuda se esta se perder. De uma pasta que você escolhe nada é removido.',
  'backups.folder.none': 'Na pasta de dados; os 10 mais recentes ficam',
  'backups.none': 'Ainda não há backups.',
  'backups.database': 'Os dados estão em um banco de dados. Faça o backup com as ferramentas dele.',
  'backups.kind.day': 'Do dia',
  'backups.kind.upgrade': 'Antes de uma atualização',
  'backups.kind.own': 'Feito à mão',
  'backups.kind.replaced': 'Substituído ao restaurar',
  'backups.templates': { one: '{count} modelo', other: '{count} modelos' },
  'backups.feeds': { one: '{count} feed', other: '{count} feeds' },
  'backups.uncounted': 'Não contado',
  'backups.more': { one: 'Mostrar {count} mais antigo', other: 'Mostrar {count} mais antigos' },
  'backups.restore': 'Restaurar…',
  'backups.restore.name': 'Restaurar o backup: {time}…',
  'restore.title': 'Restaurar este backup?',
  'restore.what': 'O que restaurar',
  'restore.work': 'Modelos e feeds',
  'restore.work.text':
    'As versões vêm com seus modelos. Renders, chaves e configurações ficam como estão.',
  'restore.all': 'Tudo',
  'restore.all.text':
    'Também renders, chaves e configurações. Chaves excluídas desde então voltam a valer, e a fila fica em pausa.',
  'restore.replaced': 'O que é substituído',
  'restore.now': 'Agora',
  'restore.then': 'Backup',
  'restore.unknown': 'desconhecido',
  'restore.same': 'sem mudança',
  'restore.templates': 'Modelos',
  'restore.feeds': 'Feeds',
  'restore.renders': 'Renders',
  'restore.keys': 'Chaves',
  'restore.running': {
    one: '{count} render está em andamento. Ele volta para a fila e começa de novo.',
    other: '{count} renders estão em andamento. Eles voltam para a fila e começam de novo.',
  },
  'restore.runningAll': {
    one: '{count} render está em andamento e é interrompido. Só fica na lista se o backup o tiver.',
    other:
      '{count} renders estão em andamento e são interrompidos. Só ficam na lista se o backup os tiver.',
  },
  'restore.kept': 'O que é substituído também vira um backup. O Framewright reinicia para isso.',
  'restore.yes': 'Restaurar',
  'restore.going': 'Restaurando o backup…',
  'restore.later': 'O próximo início do Framewright restaura o backup.',
} as const satisfies Translated<typeof english>;
