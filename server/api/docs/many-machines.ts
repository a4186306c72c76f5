/** The page of the help about more than one computer. compose.yaml and Dockerfile are what it stands on; test/containers.test.ts checks both. */
import type { Topic } from './topic.ts';

/** See above. */
export const manyMachinesTopic: Topic = {
  slug: 'many-machines',
  title: 'Many machines',
  summary: 'PostgreSQL, storage, containers, health and numbers: beyond one machine.',
  text: (apiUrl) => `
One machine is enough for most: records are in files of the data folder, finished films in the output folder, and nothing else need be installed. Each of the following steps stands alone; the API, the documents and the window stay the same.

## 1. Records in PostgreSQL

\`\`\`sh
npm install pg
framewright serve --database postgres://framewright@127.0.0.1:5432/framewright
\`\`\`

The password comes from \`PGPASSWORD\` or the address. An installation that has records moves them once, and may repeat that until the database is used: \`framewright migrate --from DIR --database URL\`. Back the database up with \`pg_dump\`.

## 2. Files in storage

\`--storage\` names a folder, also one that machines share (NFS, SMB), or S3:

\`\`\`sh
npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner
export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…
framewright serve --storage 's3://films/all?endpoint=http://127.0.0.1:9000'
\`\`\`

| In the address | Means |
|---|---|
| \`s3://BUCKET/FOLDER\` | where; the bucket must exist, the folder need not |
| \`endpoint=URL\` | a server other than Amazon's, such as MinIO or Garage |
| \`region=NAME\` | default: \`AWS_REGION\`, else \`us-east-1\` |
| \`public=URL\` | where readers reach the storage: they are then sent there with an address that is valid for six hours. Without it, files are read through the API |

A finished file goes to storage under a name of its own before its render succeeds, and is seen whole or not at all. Links stay what they are (\`/renders/ID.mp4\`), with parts and ETags. While the storage is away, renders wait and files answer 503 with \`Retry-After\`; a film that is finished just then is kept for ten minutes. If the storage stays full or refuses access, the render fails and says so. Files are removed with their render; what a crash leaves is swept twice a day. Files that were finished before stay in the output folder and are served from there.

## 3. Several servers and workers

\`\`\`sh
npm install pg pg-boss
framewright serve --database postgres://framewright@db/framewright --shared /srv/framewright --storage /mnt/films --no-worker
framewright worker --database postgres://framewright@db/framewright --storage /mnt/films --concurrency 2
\`\`\`

Both any number of times. A worker runs on any computer that reaches the database and the storage, and needs no folder of the servers: documents of waiting renders are in the database; media of the library, added fonts, pieces of long films and finished files are in storage under their SHA-256, which is checked on arrival. What it fetched stays on its disk, up to the limit for downloads of the settings. Files that documents fetch from the web are fetched by each worker itself: an answer may be for that computer alone, and what one computer of a network may reach is no matter of another. Files that documents name by a path must be on the worker's computer, below a folder of its \`--media\`.

The folder of \`--shared\` belongs to the servers. One server may have it on its own disk; several need one that all of them reach (NFS, SMB). Without \`--storage\`, workers need it, too: then they are started with \`--shared\`, and write into its folder \`output\`, whatever folder is chosen in the window; with \`--output\`, name the same folder for all. A worker that names another storage than the servers does not start. An installation that has records brings them and their files along with \`framewright migrate --from DIR --database URL --shared DIR\`. The servers answer alike: put a load balancer in front of them that asks \`/readyz\`. Without \`--no-worker\` a server renders, too.

A worker that is killed or cut off loses its render to another one after ten seconds to half a minute; one that is told to end gives it back at once. A render ends once, whatever happens. Its webhook's event may come twice if the server that sends it is killed before it has noted that: the \`webhook-id\` is the same.

| Counts over all servers | Each server has its own |
|---|---|
| credits, the rate limit, \`Idempotency-Key\`, the pause of the queue, the settings | the list of requests, how many may wait or follow events, numbers for Prometheus, the delay after wrong keys |

While the storage is away, workers wait, and so do renders whose files are missing there: the server that leads compares storage with its folder when a worker misses one, when it begins to lead, and twice a day. Media and fonts that were added before there was a storage get there in this way.

A long film is made in pieces by all workers that have the same program, fonts and encoder: joined without coding again, with the sound coded once. How it is divided follows from the film alone, so the file is the same however many workers there are. A worker that is lost costs one piece. The Queue page of the window shows the machines and says where their versions differ.

\`--per-project N\` bounds how many renders of a project run at the same time, over all workers.

## 4. All of it with Docker

The program's folder has a \`Dockerfile\` and a \`compose.yaml\`: PostgreSQL, the API, two workers, and a storage.

\`\`\`sh
docker compose up --build --detach
docker compose exec api cat /data/runtime.json
docker compose up --detach --scale worker=4
\`\`\`

It wants a password in the file \`.env\` (\`POSTGRES_PASSWORD=…\`). Only the two images \`node\` and \`postgres\` and the packages are fetched, and only to build it: afterwards it runs without the internet. The API answers on this computer alone; for others, put a proxy with TLS in front of it, and its address into the variable \`FRAMEWRIGHT_PUBLIC_URL\` (\`FRAMEWRIGHT_PUBLIC_URL=https://films.example.com docker compose up\`): see [behind a proxy](/docs/proxy). The window's own server listens inside of the container and can't be reached from outside.

## Is it well?

\`${apiUrl}/healthz\` answers 200 while the program runs. \`${apiUrl}/readyz\` answers 200 while it can do its work, else 503 with what is in the way: \`records\` (the database or the disk) or \`storage\`. Neither needs a key; a load balancer asks the second. They answer under every name and address.

\`${apiUrl}/metrics\` has numbers for Prometheus. It needs an API key, and the package \`prom-client\`:

\`\`\`json
${scrapeConfig(apiUrl)}
\`\`\`

| Number | Of what |
|---|---|
| \`framewright_queue_waiting\`, \`_running\`, \`_paused\`, \`_held\` | the queue now |
| \`framewright_machines\`, \`framewright_machine_builds\` | with several servers: machines that work, and how many different programs they have; more than 1 is a mixed farm |
| \`framewright_ready\` | 1 while \`/readyz\` says so |
| \`framewright_renders_ended_total\` | ends, by status and format |
| \`framewright_render_seconds\` | how long renders took, by format |
| \`framewright_http_request_seconds\` | how long answers took, by method and status |
| \`process_…\`, \`nodejs_…\` | memory, time, event loop |

Counting begins with the first question.

## What is not there

Servers have the media library, added fonts and documents in their shared folder: storage has copies for the workers, and is not read by servers. S3 was tested with a small server that checks every signature, not with Amazon's or MinIO's own.
`,
};

/** Prometheus' settings for a server at this address. */
function scrapeConfig(apiUrl: string): string {
  const [, scheme = 'http', host = '', path = ''] = /^(https?):\/\/([^/]*)(.*)$/.exec(apiUrl) ?? [];
  const more = [
    ...(scheme === 'http' ? [] : [`"scheme": "${scheme}",`]),
    ...(path === '' ? [] : [`"metrics_path": "${path}/metrics",`]),
  ];
  return `{
  "scrape_configs": [
    {
      "job_name": "framewright",${more.map((line) => `\n      ${line}`).join('')}
      "authorization": { "credentials": "YOUR_KEY" },
      "static_configs": [{ "targets": ["${host}"] }]
    }
  ]
}`;
}
