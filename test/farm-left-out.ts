/**
 * Tests that are left out on several servers (test/helpers/farm.ts), with the reason. Read before each test file.
 */
import { beforeEach } from 'vitest';

const files =
  'reads or changes data files by hand, or is about backups, which a database has of its own';
const address = 'is about the address of one server, and requests reach several by another one';
const each =
  'is about what each server has by itself: its list of requests, its limits, its numbers';
const workers =
  'counts on one worker: three begin more at once, and states that follow fast are told as one';
const named =
  'is about an output folder that is chosen while workers run, which are told theirs at the start';

/** By file, in `test/`: the beginning of titles, and why. */
const leftOut: Readonly<Record<string, readonly (readonly [title: string, why: string])[]>> = {
  'api/api-switch.test.ts': [
    ['stopped, nothing answers at its address', address],
    ['a port that was taken meanwhile', address],
    ['while it is stopped, another port', address],
    ['a port is looked at without being taken', address],
  ],
  'api/backups.test.ts': [['', files]],
  'api/data-folder.test.ts': [['a backup that shares its documents', files]],
  'api/diagnostics.test.ts': [['versions, state, settings, counts and logs', address]],
  'api/faults.test.ts': [
    ['F78 a queued render keeps', workers],
    ['F86 300 idle connections', each],
  ],
  'api/feeds.test.ts': [['F124: a batch that was cut off', files]],
  'api/health.test.ts': [['the numbers are what happened since', each]],
  'api/idempotency.test.ts': [['more than may wait are answered at once', each]],
  'api/links.test.ts': [
    ['links carry the name that was asked', address],
    ['IPv6 of this computer alone', address],
    ['the setting for another address moves', address],
  ],
  'api/openapi.test.ts': [['it is served without a key, with the address', address]],
  'api/projects.test.ts': [['data from before there were projects', files]],
  'api/refusals.test.ts': [
    ['POST /v2/renders (20)', address],
    ['POST /v2/renders (21)', address],
    ['after many wrong keys the refusals take a second', each],
    ['other hosts are refused', address],
  ],
  'api/render-list.test.ts': [['as many as there may be; a closed one makes place', each]],
  'api/settings-effects.test.ts': [
    ['concurrency: as many renders run', workers],
    ['outputFolder, earlierOutputFolders', named],
    ['requestLogSize', each],
    ['cacheLimit: downloads are kept', each],
  ],
  'api/settings.test.ts': [
    ['port ', address],
    ['host ', address],
    ['output_folder ', named],
  ],
  'api/taken-port.test.ts': [['F101: ', address]],
  'api/window-pages.test.ts': [
    ['requests are listed with key', each],
    ['a long body is cut', each],
    ['files of before are found after', named],
    ['the API moves to another port', address],
    ['damaged records are told', files],
  ],
  'api/window.test.ts': [['the event stream tells everything once', workers]],
};

beforeEach(({ task, skip }) => {
  const rows = leftOut[/test\/(.*)$/.exec(task.file.filepath)?.[1] ?? ''] ?? [];
  const found = rows.find(([title]) => task.name.startsWith(title));
  if (found) skip(found[1]);
});
