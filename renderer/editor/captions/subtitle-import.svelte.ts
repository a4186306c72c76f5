/** Subtitle files that are chosen, or dropped anywhere on the editor, as captions of the template. Window only. */
import { RenderError } from '../../../shared/engine/errors.ts';
import { encodingName } from '../../../shared/text-encodings.ts';
import { say } from '../../ui/say.ts';
import { readTextFile } from '../../ui/text-file.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import { sentenceOf, type CaptionsState } from './captions-state.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** The largest file that is read, in bytes: hours of speech. */
const mostBytes = 5_000_000;

/** The first subtitle file among dropped ones; undefined without one. */
export const subtitlesAmong = (files: FileList | null | undefined): File | undefined =>
  [...(files ?? [])].find(({ name }) => /\.(srt|vtt)$/i.test(name));

/**
 * Puts the lines of a file into the captions that are listed, or into new ones. Says what came of it, and offers
 * another encoding if its own was only guessed.
 */
export async function importSubtitles(
  file: File,
  captions: Pick<CaptionsState, 'import'>,
  { document }: Pick<TemplateEditor, 'document'>,
  app: AppState,
): Promise<void> {
  document.settle();
  if (!document.readable) {
    app.messages.show(say('inspector.broken'), { tone: 'problem' });
    return;
  }
  const take = (text: string): string => {
    const { lines, left } = captions.import(text, file.name);
    const done = say('captions.import.done', { count: lines });
    return left > 0 ? `${done} ${say('captions.import.left', { count: left })}` : done;
  };
  try {
    if (file.size > mostBytes)
      throw new RenderError('limit_exceeded', say('captions.import.large'));
    const read = await readTextFile(file);
    const said = take(read.text);
    const guess = say('captions.import.guessed', { encoding: encodingName(read.encoding) });
    app.messages.show(read.isGuess ? `${said} ${guess}` : said, {
      action: read.isGuess
        ? {
            label: say('captions.encoding'),
            run: () =>
              app.dialogs.show({ kind: 'encoding', file, guess: read.encoding, onread: take }),
          }
        : { label: say('editor.undo'), run: () => document.undo() },
    });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const problem = sentenceOf(error);
    app.messages.show(say('captions.import.failed', { file: file.name, problem }), {
      tone: 'problem',
    });
  }
}
