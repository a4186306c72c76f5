/** THE PAGES of the help in the order of their list. Routes, search and the help for agents are made from it. */
import { agentsTopic } from './agents.ts';
import { apiTopics } from './api-topics.ts';
import { dataTopics } from './data.ts';
import { fontsTopic } from './fonts.ts';
import { installationTopics } from './installation.ts';
import { languageTopics } from './language.ts';
import { manyMachinesTopic } from './many-machines.ts';
import { programTopics } from './programs.ts';
import { proxyTopic } from './proxy.ts';
import { recipesTopic } from './recipes.ts';
import { startTopics } from './start.ts';
import type { Topic, TopicSection } from './topic.ts';

/** By section. */
export const sections: readonly TopicSection[] = [
  { name: 'Start', topics: [...startTopics, recipesTopic] },
  { name: 'The language', topics: [...languageTopics, fontsTopic] },
  { name: 'The API', topics: apiTopics },
  { name: 'Programs', topics: [...programTopics, agentsTopic] },
  {
    name: 'The installation',
    topics: [...installationTopics, ...dataTopics, proxyTopic, manyMachinesTopic],
  },
];

/** All of them. */
export const topics: readonly Topic[] = sections.flatMap((section) => section.topics);
