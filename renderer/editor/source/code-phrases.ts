/** CodeMirror's own texts, e.g. of its search, by the English phrases that it uses as keys. */
import { say } from '../../ui/say.ts';

/** Its words and ours. `$` stands for a number that it fills in. */
export function codePhrases(): Readonly<Record<string, string>> {
  return {
    Find: say('code.find'),
    Replace: say('code.replace'),
    next: say('code.next'),
    previous: say('code.previous'),
    all: say('code.all'),
    'match case': say('code.case'),
    regexp: say('code.pattern'),
    'by word': say('code.word'),
    replace: say('code.replaceOne'),
    'replace all': say('code.replaceAll'),
    close: say('code.close'),
    'current match': say('code.match'),
    'on line': say('code.onLine'),
    'replaced match on line $': say('code.replacedOne', { line: '$' }),
    'replaced $ matches': say('code.replacedAll', { count: '$' }),
    'Go to line': say('code.goToLine'),
    go: say('code.go'),
    Completions: say('code.completions'),
    Diagnostics: say('editor.problems'),
    'No diagnostics': say('editor.problems.ok'),
    'Fold line': say('code.fold'),
    'Unfold line': say('code.unfold'),
    'folded code': say('code.folded'),
    unfold: say('code.unfold'),
    'Folded lines': say('code.foldedLines'),
    'Unfolded lines': say('code.unfoldedLines'),
    to: say('code.to'),
    'Selection deleted': say('code.deleted'),
    'Control character': say('code.control'),
  };
}
