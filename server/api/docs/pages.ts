/** THE PAGES of the help in their order; routes and search are made from it. Most are files: see written.ts. */
import { animationTypes } from '../../../shared/renderscript/animation-types.ts';
import { tools } from '../mcp/tools.ts';
import { groupTopics } from './language.ts';
import { apiTopics, programTopics, startTopics, written } from './pages-for-agents.ts';
import type { Topic, TopicSection } from './page-frame.ts';

const toolRows = (): string =>
  tools.map(({ name, description }) => `| \`${name}\` | ${description} |`).join('\n');

/** By section. */
export const sections: readonly TopicSection[] = [
  { name: 'Start', topics: startTopics },
  {
    name: 'The language',
    topics: [
      written('renderscript', 'RenderScript', 'The language of the documents.'),
      ...groupTopics,
      written(
        'renderscript/animations',
        'Animations',
        `${animationTypes.size} ready-made movements.`,
      ),
      written('renderscript/easings', 'Easings', 'Curves of movements.'),
      written('fonts', 'Fonts', 'All shipped families with pictures, and how to use others.'),
      written('speech', 'Speech and sound', 'Captions, voices, and how loud it all is.'),
    ],
  },
  { name: 'The API', topics: apiTopics },
  {
    name: 'Programs',
    topics: [
      ...programTopics,
      written(
        'agents',
        'Agents (MCP)',
        'Tools for agents that write, look at and render documents.',
        {
          tools: toolRows,
        },
      ),
    ],
  },
  {
    name: 'The installation',
    topics: [
      written('install', 'Install', 'With npm, from a clone, with Docker, or the desktop program.'),
      written('upgrade', 'Upgrade', 'To a newer version, and back.'),
      written('uninstall', 'Uninstall', 'Take the program away, and what it leaves.'),
      written('data', 'Where data lie', 'Folders of each system, and what is in them.'),
      written(
        'back-up',
        'Back up and restore',
        'What is backed up every day, how to back up and restore it, and copies by hand.',
      ),
      written(
        'proxy',
        'Behind a proxy',
        'TLS and a name with nginx, Caddy or Traefik; proxies on the way out.',
      ),
      written(
        'many-machines',
        'Many machines',
        'PostgreSQL, storage, containers, health and numbers: beyond one machine.',
      ),
    ],
  },
];

/** All of them. */
export const topics: readonly Topic[] = sections.flatMap((section) => section.topics);
