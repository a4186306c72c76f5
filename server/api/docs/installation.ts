/** The help about having the program: install it, bring it up to date, and take it away. */
import { shownDataFolder } from '../../data-folder.ts';
import type { Topic } from './topic.ts';

/** The pages. */
export const installationTopics: readonly Topic[] = [
  {
    slug: 'install',
    title: 'Install',
    summary: 'With npm, from a clone, with Docker, or the desktop program.',
    text: (apiUrl) => `
All ways bring the same server, command line and window. All but Docker and the installers need Node 20.19 or newer. \`framewright doctor\` says afterwards what the computer lacks.

## npm

The package is not in npm's registry yet. Until it is, make it from a clone:

\`\`\`sh
npm ci && npm run build && npm pack
npm install --global ./framewright-0.1.0.tgz
framewright serve
\`\`\`

Once it is published, \`npm install --global framewright\` does the same. For one project: \`npm install framewright\`, then \`npx framewright\`.

If only the TypeScript client is needed, a running server hands it out, without a registry:

\`\`\`sh
npm install ${apiUrl}/client.tgz
\`\`\`

## Clone

\`\`\`sh
npm ci && npm start
\`\`\`

This builds the program and opens the desktop window. Without a display, \`npm run serve\` starts the server alone. \`npm install --global .\` makes \`framewright\` a command; it then runs from the clone, so the folder must stay.

## Docker

In the clone:

\`\`\`sh
docker build -t framewright .
docker run --rm -p 127.0.0.1:4820:4820 -v framewright:/data framewright
\`\`\`

The key is in \`/data/runtime.json\`. The window's own server can't be reached from outside of the container: use the [command line](/docs/command-line) or the API. For PostgreSQL and several workers, see [Many machines](/docs/many-machines).

## Desktop

Installers are not handed out yet. \`npm ci && npm run package\` in a clone makes those of the system it runs on, in \`dist/installers\`; on macOS, run \`npm run package:mac-parts\` before.

| System | Installer | When it is opened |
|---|---|---|
| macOS 13 or newer | \`.dmg\` | it is signed by nobody, so Gatekeeper refuses a downloaded one: System Settings › Privacy & Security › Open Anyway |
| Windows 10 or newer, 64 bits | \`.exe\` | SmartScreen warns: More info ▸ Run anyway |
| Debian, Ubuntu and the like | \`.deb\` | \`sudo apt install ./NAME.deb\`. It brings the AppArmor profile that the sandbox needs on Ubuntu 24.04 |
| Other Linux | \`.AppImage\` | \`chmod +x\`, then open it. Where the system restricts user namespaces, as Ubuntu 24.04 does, it starts without Chromium's sandbox |
`,
  },
  {
    slug: 'upgrade',
    title: 'Upgrade',
    summary: 'To a newer version, and back.',
    text: () => `
Framewright never looks for updates by itself. Renders that wait are kept; one that is running begins again after the start.

1. End the program. The server finishes writing when it is told to end with Ctrl+C or \`SIGTERM\`.
2. Install the newer version over the old one:

| Installed with | Do |
|---|---|
| npm | \`npm install --global framewright@latest\`, or with the path of the new package |
| Clone | \`git pull\`, then \`npm ci && npm run build\` |
| Docker | \`git pull\`, \`docker build -t framewright .\`, then start a new container with the same volume; with Compose \`docker compose up --build --detach\` |
| Desktop | open the new installer; data and settings stay |

3. Start it. If the form of the data has changed, it first makes a backup (\`upgrade-…\`, the last three are kept) and then changes the data.

With PostgreSQL, back up with \`pg_dump\` first, end all servers and workers, and start them with the same version. The Queue page of the window says if versions differ.

## Back to an older version

An older version refuses data whose form a newer one has changed, and says so; nothing is damaged. Install the older version, rename the data folder, and start with a new one. Copy the \`upgrade-…\` backup from the old folder's \`store/backups\` to the new one's, and [restore it](/docs/back-up#by-window-and-command) with \`--all\`. What was made after the upgrade is not in it.
`,
  },
  {
    slug: 'uninstall',
    title: 'Uninstall',
    summary: 'Take the program away, and what it leaves.',
    text: () => `
Removing the program never removes templates, settings or finished files. Delete those yourself, after a last look into the [data folder](/docs/data).

| Installed with | Remove the program |
|---|---|
| npm | \`npm uninstall --global framewright\` |
| Clone | \`npm uninstall --global framewright\` if you installed it from there; then delete the folder |
| Docker | \`docker rm\` the container, \`docker image rm framewright\`; with Compose \`docker compose down\` |
| Windows | Settings › Apps |
| macOS | move Framewright from Applications to the Trash |
| deb | \`sudo apt remove framewright\` |
| AppImage | delete the file |

Before that, switch off "Open at login" under Settings in the desktop program.

## What stays

| | Linux | macOS | Windows |
|---|---|---|---|
| Data of the server | \`${shownDataFolder('linux', 'server')}\` | \`${shownDataFolder('darwin', 'server')}\` | \`${shownDataFolder('win32', 'server')}\` |
| Data and settings of the desktop program | \`~/.config/Framewright\` | \`~/Library/Application Support/Framewright\` | \`%APPDATA%\\Framewright\` |
| Its log | in the same folder | \`~/Library/Logs/Framewright\` | in the same folder |
| Its finished files | \`Framewright\` in Videos | \`Framewright\` in Movies | \`Framewright\` in Videos |
| Its entry for the login | \`~/.config/autostart/framewright.desktop\` | Login Items | – |

Also remove folders that you named with \`--data\`, \`--output\`, \`--shared\` or \`--storage\`, or chose in the settings for finished files and backups. With Docker, \`docker volume rm framewright\` removes the data, with Compose \`docker compose down --volumes\`. In PostgreSQL all tables are in one schema: \`DROP SCHEMA framewright CASCADE\`.
`,
  },
];
