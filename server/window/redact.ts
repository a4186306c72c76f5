/** Removes from a text what others must not read: secrets, queries of addresses, names of home folders. Pure. */
import { homedir } from 'node:os';

/** The replacement. */
const gone = '…';

const rules: readonly (readonly [RegExp, string])[] = [
  // Name and password, and what follows the path: signatures and tokens.
  [/(\bhttps?:\/\/)[^\s/"'<>@]+@/gi, `$1${gone}@`],
  [/(\bhttps?:\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, `$1?${gone}`],
  // Home folders of anyone, however their slashes are written.
  [/((?:\/|%2F)(?:home|Users)(?:\/|%2F))[^\s/"'%:]+/gi, `$1${gone}`],
  [/(\b[A-Z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^\r\n\\/"']+/gi, `$1${gone}`],
];

/** @param secrets Texts to remove wherever they occur. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const home = homedir();
  // Plain, and as in JSON and addresses.
  const homes = [home, JSON.stringify(home).slice(1, -1), encodeURI(home)];
  const wanted = secrets.filter((secret) => secret !== '');
  return (text) => {
    let told = text;
    for (const secret of wanted) told = told.replaceAll(secret, gone);
    // Not a home that is a whole drive.
    if (home.length > 3) for (const one of homes) told = told.replaceAll(one, '~');
    for (const [pattern, left] of rules) told = told.replace(pattern, left);
    return told;
  };
}
