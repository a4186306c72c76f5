/** Texts about backups in Japanese. */
import type { backupMessages as english } from '../en-backups.ts';
import type { Translated } from '../message.ts';

export const backupMessages = {
  'backups.place': 'データフォルダー',
  'backups.title': 'バックアップ',
  'backups.what':
    '毎日、最初の起動時に作成します。テンプレートとそのバージョン、フィード、プロジェクト、キー、設定、レンダリングの一覧、メディア、追加したフォントが入ります。完成したファイルは含みません。同じドライブでは、使用中のメディアとフォントが余分な容量を取ることはありません。',
  'backups.make': '今すぐバックアップ',
  'backups.making': 'バックアップ中…',
  'backups.made': 'バックアップを作成しました。',
  'backups.folder': '「今すぐバックアップ」のフォルダー',
  'backups.folder.hint':
    '別のドライブにあると、このドライブが失われたときに役立ちます。ドライブがリンクに対応していれば、メディアとフォントのコピーは一度だけです。自分で選んだフォルダーからは何も削除されません。',
  'backups.folder.none': 'データフォルダー内。新しい10件を残します',
  'backups.none': 'バックアップはまだありません。',
  'backups.database':
    'データはデータベースにあります。データベースのツールでバックアップしてください。',
  'backups.kind.day': 'その日のもの',
  'backups.kind.upgrade': '更新の前',
  'backups.kind.own': '手動で作成',
  'backups.kind.replaced': '復元で置き換え',
  'backups.templates': 'テンプレート{count}件',
  'backups.feeds': 'フィード{count}件',
  'backups.uncounted': '件数不明',
  'backups.contents': 'メディアとフォント{count}件、{size}',
  'backups.noContents': 'メディアとフォントなし',
  'backups.more': '古いものをあと{count}件表示',
  'backups.restore': '復元…',
  'backups.restore.name': 'バックアップを復元: {time}…',
  'space.title': 'ディスクの使用量',
  'space.kind': '種類',
  'space.files': 'ファイル',
  'space.size': 'サイズ',
  'space.renders': '完成したレンダリング',
  'space.media': 'メディア',
  'space.fonts': '追加したフォント',
  'space.records': 'テンプレート、フィード、記録',
  'space.backups': 'バックアップ',
  'space.cache': 'キャッシュとプレビュー',
  'space.whole': '合計',
  'space.count': 'ファイル{count}件',
  'space.hint':
    'キャッシュは必要になると自動的に作り直されます。バックアップとデータが共有するものは一度だけ数えます。',
  'space.measure': 'もう一度調べる',
  'space.measuring': '調べています…',
  'reset.ask': '設定をリセット…',
  'reset.title': 'すべての設定をリセットしますか？',
  'reset.text':
    'API のポートやフォルダーも含めて、最初の状態に戻ります。テンプレート、レンダリング、メディア、キー、言語、ショートカットはそのままです。',
  'reset.yes': 'リセット',
  'reset.done': '設定をリセットしました。',
  'restore.title': 'このバックアップを復元しますか？',
  'restore.what': '復元するもの',
  'restore.work': 'テンプレートとフィード',
  'restore.work.text':
    'バージョンもテンプレートと一緒に戻り、なくなったメディアとフォントも戻ります。レンダリング、キー、設定はそのままです。',
  'restore.all': 'すべて',
  'restore.all.text':
    'レンダリング、キー、設定も戻します。その後に削除したキーは再び有効になり、キューは一時停止します。',
  'restore.replaced': '置き換えるもの',
  'restore.now': '現在',
  'restore.then': 'バックアップ',
  'restore.unknown': '不明',
  'restore.same': 'そのまま',
  'restore.templates': 'テンプレート',
  'restore.feeds': 'フィード',
  'restore.renders': 'レンダリング',
  'restore.keys': 'キー',
  'restore.running': '{count}件のレンダリングが実行中です。キューに戻り、最初からやり直します。',
  'restore.runningAll':
    '実行中のレンダリング{count}件を停止します。バックアップにあるものだけが一覧に残ります。',
  'restore.kept':
    '置き換えたものもバックアップとして残ります。このためにFramewrightを再起動します。',
  'restore.yes': '復元',
  'restore.going': 'バックアップを復元中…',
  'restore.later': '次にFramewrightを起動したときに復元します。',
} as const satisfies Translated<typeof english>;
