/** Every text of the window in German; its parts are those of English. */
import type { Messages } from '../../lib/say.ts';
import type { Translated } from '../message.ts';
import { backupMessages } from './backups.ts';
import { canvasMessages } from './canvas.ts';
import { captionMessages } from './captions.ts';
import { choiceMessages } from './choices.ts';
import { commandMessages } from './commands.ts';
import { editorMessages } from './editor.ts';
import { feedMessages } from './feeds.ts';
import { generalMessages } from './general.ts';
import { inspectorMessages } from './inspector.ts';
import { makingMessages } from './making.ts';
import { pageMessages } from './pages.ts';
import { queueMessages } from './queue.ts';
import { templateMessages } from './templates.ts';

export const messages: Translated<Messages> = {
  ...backupMessages,
  ...canvasMessages,
  ...captionMessages,
  ...choiceMessages,
  ...commandMessages,
  ...editorMessages,
  ...feedMessages,
  ...generalMessages,
  ...inspectorMessages,
  ...makingMessages,
  ...pageMessages,
  ...queueMessages,
  ...templateMessages,
};
