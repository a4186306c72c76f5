/**
 * THE CATALOGUE of refusals: every code with its HTTP status, sentence (placeholders in braces), and help text.
 * `ApiError` takes a code from here; any other error while answering is a bug.
 */

interface Entry {
  readonly status: number;
  /** The answer's `hint`. */
  readonly sentence: string;
  /** What the help page says beyond the sentence. */
  readonly help: string;
}

/** All refusals, in the order of their status. */
export const errorCatalogue = {
  invalid_json: {
    status: 400,
    sentence: 'The body is not valid JSON: {reason} at line {line}, column {column}.',
    help: 'The place is where reading stopped; the mistake is there or just before it. JSON knows no comments, no comma after the last item, no single quotes, and no NaN or Infinity.',
  },
  invalid_encoding: {
    status: 400,
    sentence: 'The body is not UTF-8 text.',
    help: 'JSON is sent as UTF-8. Convert other encodings before sending, and leave the charset of the Content-Type header away or name utf-8.',
  },
  wrong_content_type: {
    status: 400,
    sentence: 'Send the body as JSON with the header Content-Type: application/json.',
    help: 'Form posts and plain text are refused, so that no web page can send them by accident. The only charset is utf-8; the only encodings are gzip, deflate and br.',
  },
  not_an_object: {
    status: 400,
    sentence: 'Expected an object as the body, found {found}.',
    help: 'The body of every request that has one is a JSON object, e.g. {"template_id": "…"}.',
  },
  too_deep: {
    status: 400,
    sentence: 'The body has more than {limit} arrays and objects inside each other.',
    help: 'Compositions may contain compositions, but not without limit.',
  },
  number_too_large: {
    status: 400,
    sentence: 'The body has a number that is too large to be kept at {path}.',
    help: 'Numbers above 1.8e308 become infinity when they are read, and nothing in a render can be infinite. A whole number in `modifications` that has more digits than a number keeps (most above 9,007,199,254,740,992) would come out as another one: send it as a text, in quotes.',
  },
  incomplete_body: {
    status: 400,
    sentence: 'The body does not have the length or the compression that its headers announce.',
    help: 'The connection ended early, the Content-Length is wrong, or the Content-Encoding does not match the body.',
  },
  malformed_request: {
    status: 400,
    sentence: 'The request is not valid HTTP.',
    help: 'It has no readable request line or headers, or it announces its length in two ways.',
  },
  invalid_parameter: {
    status: 400,
    sentence: "The parameter '{name}' should be {what}.",
    help: 'Parameters of the request itself are checked at once. Wrong values inside RenderScript are not refused: the answer lists them under errors, and the render fails with the first of them.',
  },
  archive_too_large: {
    status: 400,
    sentence: 'Together the files have {size} GB; an archive holds {limit} GB at most.',
    help: 'Choose fewer files, or save them one by one.',
  },
  share_refused: {
    status: 400,
    sentence: 'The file can not be imported: {reason}.',
    help: 'A template with its media and fonts is one .framewright file, as the template’s menu, `framewright templates share` and this API make it. A file that was changed or cut off on its way is refused as a whole: have it sent again.',
  },
  share_too_large: {
    status: 400,
    sentence: 'The template can not be shared as one file: {reason}.',
    help: 'Name large media by an address on the network, or share the template without them as JSON.',
  },
  port_taken: {
    status: 400,
    sentence: 'Port {port} is used by another program.',
    help: 'The API keeps the port it had. Choose another one, or close the other program first.',
  },
  port_refused: {
    status: 400,
    sentence: 'Port {port} could not be opened.',
    help: 'The system does not let it be opened, or a security program blocks it. The API keeps the port it had.',
  },
  host_refused: {
    status: 400,
    sentence: 'The API could not listen at {host}, port {port}.',
    help: 'This computer does not have the address, or another program uses the port there. The API stays where it was.',
  },
  folder_not_writable: {
    status: 400,
    sentence: 'This folder cannot be written: {folder}.',
    help: 'Finished files could not be put there. Choose another folder, or allow this user to write in it.',
  },
  invalid_setting: {
    status: 400,
    sentence: 'Expected {what}.',
    help: 'The setting keeps the value it had.',
  },
  setting_refused: {
    status: 400,
    sentence: "The setting '{name}' should be {what}, found {found}.",
    help: 'Nothing was changed, other settings of the same request included. GET /v2/settings lists all settings with their values.',
  },
  setting_unknown: {
    status: 400,
    sentence: "There is no setting '{name}'. There are: {names}.",
    help: 'Nothing was changed. Names are written in lower case with underscores.',
  },
  setting_fixed: {
    status: 400,
    sentence:
      "The setting '{name}' was named at the start of the server and stays so while it runs.",
    help: 'An option of the command line goes before the setting. Start the server without the option to use the setting.',
  },
  not_from_here: {
    status: 403,
    sentence:
      "The setting '{name}' can only be changed from the server's own computer: it decides what the server may read, write or run there.",
    help: 'Whoever has a key may otherwise be anywhere. Run framewright settings set on that computer (in a container: docker exec), use its window, or name it at the start of the server. A request that came through a proxy does not count as one of that computer. With a public address or a trusted proxy, no request does: use the window, or name it at the start.',
  },
  first_project_only: {
    status: 403,
    sentence:
      'Only keys of the first project ({first}) may do this, which is about the whole server; this key is that of the project {project}.',
    help: 'Backups, settings, fonts and the projects themselves are those of the whole server, so only keys of the first project, which every server has from the start, may use them. `framewright keys list` shows the keys with their projects. Give programs that only render the key of another project.',
  },
  no_backup: {
    status: 404,
    sentence: 'There is no backup with the name {name}.',
    help: 'It was removed meanwhile, or the drive that it is on is not connected. Load the list again.',
  },
  no_backups_here: {
    status: 409,
    sentence: 'The records are in a database, which has backups of its own.',
    help: 'Back the database up with its own tools, e.g. pg_dump --schema framewright.',
  },
  cannot_back_up: {
    status: 503,
    sentence: 'The backup could not be made in {folder}: {reason}.',
    help: 'Nothing of it was kept, and the data are as they were. Choose another folder for backups, or make room.',
  },
  cannot_remove_backup: {
    status: 503,
    sentence: 'The backup {name} could not be removed: {reason}.',
    help: 'Check that its folder can be written, and try again.',
  },
  ffmpeg_unusable: {
    status: 400,
    sentence: 'This ffmpeg cannot be used: {reason}.',
    help: 'The program that was named is not an ffmpeg that can be used. The previous one stays.',
  },
  nothing_to_render: {
    status: 400,
    sentence: "Send a 'template_id', or RenderScript with 'elements'.",
    help: 'A render is made from a stored template, or from RenderScript in the body of the request.',
  },
  nothing_to_change: {
    status: 400,
    sentence: 'Send at least one of {names}.',
    help: 'Fields that are left out keep their values, so a change needs at least one.',
  },
  first_project: {
    status: 400,
    sentence: 'The first project stays.',
    help: 'Every data folder has one project from the start. It can have another name; others can be deleted.',
  },
  project_not_empty: {
    status: 400,
    sentence: 'The project still has templates, feeds or renders, perhaps in the Trash.',
    help: 'Only an empty project can be deleted. Delete its templates for good and remove its renders; renders expire after 30 days.',
  },
  last_key: {
    status: 400,
    sentence: 'This is the last key of the project. Make another one first.',
    help: 'A project without a key could not be reached by any program.',
  },
  not_waiting: {
    status: 400,
    sentence: 'The render {id} does not wait in the queue.',
    help: 'Only renders that wait for their turn can be moved.',
  },
  feed_refused: {
    status: 400,
    sentence: 'The table can not be imported: {reason}.',
    help: 'Feeds are read from CSV, TSV, JSON and XLSX files, with at most 10,000 rows, 100 columns and 20 MB. Save other spreadsheets as CSV (UTF-8) to import them.',
  },
  feed_not_mapped: {
    status: 400,
    sentence: 'The feed {id} is not mapped to a template.',
    help: 'A row is rendered with the template of the feed, and its columns are the modifications. Choose a template for the feed first.',
  },
  document_wrong: {
    status: 400,
    sentence: 'The document has {errors}. The first: {first}.',
    help: 'A picture can only be drawn of a document without errors. POST /v2/renders with "dry_run": true lists all of them.',
  },
  preview_failed: {
    status: 422,
    sentence: 'The picture could not be drawn: {reason}.',
    help: 'The document is valid, but something that it needs could not be read, e.g. a picture or a video. A render of it would fail with the same reason.',
  },
  check_failed: {
    status: 422,
    sentence: 'The document could not be checked: {reason}.',
    help: 'A dry run with `"check": "media"` fetches every file, draws some frames and mixes the sound. It was given up; the same request without `check` checks the document alone.',
  },
  export_failed: {
    status: 422,
    sentence: 'The document could not be exported: {reason}.',
    help: 'Captions, OTIO and EDL are made from the document and its files: it must have no errors, and for captions their words must be known. Recordings are transcribed in the editor’s captions, or by `framewright export`.',
  },
  voice_failed: {
    status: 422,
    sentence: 'The text could not be spoken: {reason}.',
    help: 'The voice that was chosen is not set up, or did not answer. A render with this text would fail with the same reason; the setting `voices` says who speaks.',
  },
  preview_off: {
    status: 503,
    sentence: 'Pictures can not be drawn right now: {reason}.',
    help: 'The process that draws previews stopped. It restarts automatically; try again in a moment.',
  },
  too_many_elements: {
    status: 400,
    sentence: 'The source has {count} elements; the limit is {limit}.',
    help: 'Elements are counted on all levels, also inside compositions.',
  },
  asks_too_much: {
    status: 400,
    sentence: "The parameter '{name}' asks for too much: {reason}.",
    help: 'A few keys can ask for gigabytes: one key for thousands of elements of one name, copies of copies, a long value in thousands of places. So the work that a request may cause, and the size of the resulting document, are limited. Give elements different names, or split the request into several.',
  },
  invalid_key: {
    status: 401,
    sentence: 'The API key is missing or not valid. Copy it from the API page of the app.',
    help: 'Every request to /v1 and /v2 carries the header Authorization: Bearer YOUR_KEY. The key is shown in the window, and printed at the start of the server in a terminal or with --print-key. A key in the address is not accepted.',
  },
  out_of_credits: {
    status: 402,
    sentence: 'No credits left. The request needs {cost}; {left} are left.',
    help: 'The settings give an allowance of credits for the renders of the last 30 days. A picture costs 1; a video costs its width times height times frames, divided by 100,000,000. Failed renders, dry runs and refused requests cost nothing. Raise the allowance, or remove it: rendering on your own computer needs no credits.',
  },
  wrong_host: {
    status: 403,
    sentence: 'This address is not allowed. Use {url}.',
    help: 'The server answers to 127.0.0.1, localhost and [::1] with its own port, to the name of --public-url, and to names that were allowed with --allow-host or in the settings. If it listens to other computers (--host) or trusts a proxy (--trust-proxy), it also answers to IP addresses, localhost and [::1] at any port, as with docker run -p 8080:4820; for a tunnel from another port, allow localhost. A web page whose name points to this computer could otherwise reach it through the browser.',
  },
  wrong_origin: {
    status: 403,
    sentence:
      "Web pages may not call this API. Add the page's address under Settings, API, to allow it.",
    help: 'Browsers name the page that a request comes from. Requests of pages are refused, so that no web site can use this computer to render. Links to files and help pages open from anywhere; to show a file inside a page, allow the address of the page.',
  },
  wrong_window_token: {
    status: 403,
    sentence:
      "This is the window's private address. Open the address that was printed at the start.",
    help: 'The window has an address of its own with a secret token. Programs use the API instead.',
  },
  version_not_found: {
    status: 404,
    sentence: 'There is no version with the ID {id} of this template.',
    help: 'Only the window asks for versions. It was deleted, or made room for newer ones.',
  },
  template_not_found: {
    status: 404,
    sentence: 'There is no template with the ID {id} in this project.',
    help: 'The template was deleted, or the ID belongs to another project. GET /v2/templates lists what there is.',
  },
  deleted_template_not_found: {
    status: 404,
    sentence: 'There is no deleted template with the ID {id} in this project.',
    help: 'It never was in this project, was deleted for good, or 30 days have passed. GET /v2/templates/deleted lists those that can be restored.',
  },
  template_damaged: {
    status: 500,
    sentence: 'The document of the template {id} is missing or damaged on the disk.',
    help: 'The log says what is wrong with its file. Save the template again, or restore the file from a backup of the data folder.',
  },
  render_not_found: {
    status: 404,
    sentence: 'There is no render with the ID {id}.',
    help: 'Renders and their files are kept for 30 days.',
  },
  receipt_not_found: {
    status: 404,
    sentence: 'The render {id} has no receipt.',
    help: 'A receipt is there once the status of its render is succeeded. Renders of earlier versions have none.',
  },
  transcript_not_found: {
    status: 404,
    sentence: 'There is no transcript with the ID {id}.',
    help: 'It belongs to another project, or is older than 30 days or than the 1,000 newest. POST /v2/transcripts again: words that were found before are there at once.',
  },
  media_not_usable: {
    status: 400,
    sentence: "The file can't be used: {reason}.",
    help: 'The library takes the videos, pictures and sounds that renders can read. The content of a file decides what it is, not its name or ending.',
  },
  upload_refused: {
    status: 400,
    sentence: 'The upload can not be read: {reason}.',
    help: 'Send the file as it is, as the whole body and with its name in the address (?name=logo.png); or as multipart/form-data with one part called file. `curl -F file=@logo.png` does the latter.',
  },
  media_for_all: {
    status: 409,
    sentence: 'The file {id} was added in the window, for all projects.',
    help: 'A key removes only files that keys of its project have sent. Delete it in the window, on the page with the media.',
  },
  media_library_full: {
    status: 400,
    sentence: 'The media library has {limit} files, which is its limit.',
    help: 'Remove files that are no longer used.',
  },
  font_not_usable: {
    status: 400,
    sentence: "The font can't be used: {reason}.",
    help: 'Fonts are files in the format TTF, OTF, WOFF or WOFF2. The content of a file decides, not its name.',
  },
  model_not_usable: {
    status: 400,
    sentence: "The speech model can't be used: {reason}.",
    help: 'Speech models are files of whisper.cpp in its ggml form, which end in .bin. The content of a file decides, not its name.',
  },
  model_too_large: {
    status: 413,
    sentence: 'The file is larger than {limit}, the limit for speech models.',
    help: 'Take a compressed form of the model: its name ends in q5 or q8.',
  },
  model_not_found: {
    status: 404,
    sentence: 'There is no speech model {name}.',
    help: 'It was removed, here or on the command line. `framewright models list` has those that are there.',
  },
  font_shipped: {
    status: 400,
    sentence: 'The font family {family} comes with the program, so texts can use it already.',
    help: 'To use your own file under this name, list it in the `fonts` of the document.',
  },
  font_too_large: {
    status: 413,
    sentence: 'The file is larger than {limit}, the limit for fonts.',
    help: 'Save the font as WOFF2, or leave out characters that no text needs.',
  },
  font_library_full: {
    status: 400,
    sentence: 'There are {limit} font files, which is the limit.',
    help: 'Remove fonts that are no longer used.',
  },
  font_not_found: {
    status: 404,
    sentence: 'There is no added font family {family}.',
    help: 'It was removed, or it is a family that comes with the program or the computer. GET /v2/fonts lists all of them.',
  },
  media_not_found: {
    status: 404,
    sentence: 'There is no file with the ID {id} in the media library.',
    help: 'The file was removed, belongs to another project, or has no thumbnail when one was asked for. GET /v2/media lists what there is.',
  },
  feed_changed: {
    status: 409,
    sentence: 'The feed {id} was changed meanwhile.',
    help: 'Another window, or an import, has stored other rows. Load the feed again and repeat the change.',
  },
  feed_not_found: {
    status: 404,
    sentence: 'There is no feed with the ID {id} in this project.',
    help: 'The feed was deleted, or the ID belongs to another project. GET /v1/feeds lists what there is.',
  },
  project_not_found: {
    status: 404,
    sentence: 'There is no project with the ID {id}.',
    help: 'The project was deleted. GET /v2/projects lists those that there are.',
  },
  key_not_found: {
    status: 404,
    sentence: 'There is no key with the ID {id}.',
    help: 'The key was removed already.',
  },
  delivery_not_found: {
    status: 404,
    sentence: 'There is no webhook delivery with the ID {id} that could be sent again.',
    help: 'A delivery is removed with its render, after 30 days.',
  },
  file_not_found: {
    status: 404,
    sentence: 'There is no finished file {path}.',
    help: 'The file is there once the status of its render is succeeded, and for 30 days after the render was created.',
  },
  file_deleted: {
    status: 404,
    sentence: 'The file was deleted from the output folder.',
    help: 'The render had finished, but its file is no longer in the output folder. Render it again.',
  },
  route_not_found: {
    status: 404,
    sentence: 'There is no {method} {path}.',
    help: 'The address, the method or both are not known. All routes are listed in the help pages for renders, templates and feeds, and in /openapi.json. Upper and lower case count, and paths begin with a single slash.',
  },
  post_only: {
    status: 405,
    sentence: '/mcp takes POST only.',
    help: 'Each message of the Model Context Protocol is a POST of its own. There are no sessions to end with DELETE, and no stream to open with GET: answers that take time are streams themselves.',
  },
  template_id_taken: {
    status: 409,
    sentence:
      'The ID {id} is used by another template, perhaps in the Trash or of another project.',
    help: 'A new template may name its own ID. It must be free: change the template that has it with PATCH, restore it (POST /v2/templates/ID/restore), or delete it for good in the Trash of the app.',
  },
  idempotency_key_in_use: {
    status: 409,
    sentence: 'A request with this Idempotency-Key is being carried out. Try again in a moment.',
    help: 'The first request with a key must be answered before another one with it. After that, the same request gets the same answer.',
  },
  request_timeout: {
    status: 408,
    sentence: 'The request did not arrive in time.',
    help: 'Headers have 10 seconds, the whole request has 30. A Content-Length that is larger than the body ends here too.',
  },
  media_too_large: {
    status: 413,
    sentence: 'The file is larger than {limit}, the limit for media.',
    help: 'The same limit holds for the media of renders.',
  },
  body_too_large: {
    status: 413,
    sentence: 'The body has {size}; the limit is {limit} MB.',
    help: 'Large media does not belong in the body: name its address or file as the source of an element. The limit also holds after decompression.',
  },
  range_not_satisfiable: {
    status: 416,
    sentence: 'The file has {size} bytes; the range that was asked for lies outside.',
    help: 'Ask for a part of the file that exists, e.g. Range: bytes=0-1023.',
  },
  idempotency_key_reused: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another request.',
    help: 'A key stands for one request: the same address with the same body, byte for byte, for 24 hours. Make a new key for each new render, and reuse it only to repeat a request whose answer did not arrive.',
  },
  rate_limit_exceeded: {
    status: 429,
    sentence:
      'More than {requests} requests in {window} seconds. Try again in {wait}. Whoever runs the server can lift the limit: --no-rate-limit, or Settings ▸ API in the window.',
    help: 'Every request to /v1 and /v2 counts, including polling the state of a render. Wait for as many seconds as Retry-After says (the client of the package does so by itself), or use a webhook_url instead of asking. On your own computer you need no limit: start the server with --no-rate-limit, or switch off "Limit to 30 requests in 10 seconds" under Settings ▸ API in the window.',
  },
  expectation_failed: {
    status: 417,
    sentence: "The request expects '{expectation}', which this server does not know.",
    help: 'The only value that the header Expect may have is 100-continue.',
  },
  precondition_failed: {
    status: 412,
    sentence: 'The file is not the one that the request names.',
    help: 'It was changed since the ETag or the date that If-Match or If-Unmodified-Since names.',
  },
  headers_too_large: {
    status: 431,
    sentence: 'The headers of the request are larger than {limit} bytes.',
    help: 'Nothing in this API needs large headers; the content belongs in the body.',
  },
  internal_error: {
    status: 500,
    sentence: 'Something went wrong in the app (reference {reference}). The log has the details.',
    help: 'This is a mistake in the app, not in the request. Search the log for the reference and report what it says.',
  },
  cannot_save: {
    status: 503,
    sentence: 'The app cannot save data right now: {reason}.',
    help: 'Nothing of the request was kept. The usual reason is a full disk; try again once there is space.',
  },
  storage_unavailable: {
    status: 503,
    sentence: 'The file cannot be reached right now: {reason}.',
    help: 'Finished files are in a storage of their own (--storage), which does not give them out at the moment. Nothing is lost; try again later.',
  },
  metrics_missing: {
    status: 503,
    sentence: "/metrics needs the package prom-client: run 'npm install prom-client'.",
    help: 'The numbers for Prometheus are made by a package that is not installed by default. Install it in the folder of the program; no restart is needed.',
  },
  too_many_streams: {
    status: 503,
    sentence: 'More than {limit} event streams are open. Close some, or ask for renders instead.',
    help: 'Streams stay open and each takes a connection, so their number is limited. Polling, a webhook and Prefer: wait take none.',
  },
  no_answer: {
    status: 503,
    sentence: 'The app did not get done with this request in time.',
    help: 'It was given up after minutes in which nothing came of it. Try again; if the same happens, report the request.',
  },
  too_many_connections: {
    status: 503,
    sentence:
      'Too many connections are open. Try again in a second, and keep fewer open at a time.',
    help: 'So many connections are working at this moment that another request would wait too long. `Retry-After` says when to try again.',
  },
  busy: {
    status: 503,
    sentence: 'The app is busy with large documents or files. Try again in a moment.',
    help: 'Only two large documents are processed at a time, and too many are already waiting; or too many files are being received. Small requests are not affected.',
  },
} as const satisfies Record<string, Entry>;

/** The stable code of a refusal. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The placeholder names in a sentence. */
type Holes<Sentence extends string> = Sentence extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;

/** What the sentence of a code needs. */
type ErrorValues<Code extends ErrorCode> = Readonly<
  Record<Holes<(typeof errorCatalogue)[Code]['sentence']>, string | number>
>;

/** A code, with values if its sentence has placeholders: one pair for every entry. */
type ErrorArguments = {
  [Code in ErrorCode]: [Holes<(typeof errorCatalogue)[Code]['sentence']>] extends [never]
    ? [code: Code]
    : [code: Code, values: ErrorValues<Code>];
}[ErrorCode];

/** A refused request, with the reason for its sender. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;

  constructor(...[code, values]: ErrorArguments) {
    const { sentence, status } = errorCatalogue[code];
    super(fill(sentence, values ?? {}));
    this.code = code;
    this.status = status;
  }

  /** One with a ready sentence, made on another thread. */
  static of(code: ErrorCode, message: string): ApiError {
    // The sentence is replaced, so that its values don't matter.
    const error = Reflect.construct(ApiError, [code, {}]) as ApiError;
    error.message = message;
    return error;
  }

  /** The same with a sentence on what to do, if there is one. */
  withAdvice(advice: string | null): ApiError {
    return advice === null ? this : ApiError.of(this.code, `${this.message} ${advice}`);
  }
}

/** Fills the placeholders of a sentence. */
function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** The help page of a refusal, below the server's address: `/docs/errors/invalid-json`. */
export function documentationPath(code: ErrorCode): string {
  return `/docs/errors/${code.replaceAll('_', '-')}`;
}
