/** THE TOOLS for agents as a table. The MCP server and the help page are made from it. */
import { documentTools } from './document-tools.ts';
import { mediaTools, pictureTools } from './picture-tools.ts';
import { readingTools } from './reading-tools.ts';
import { renderTools } from './render-tools.ts';
import type { Tool } from './tool.ts';
import { transcriptTools } from './transcript-tools.ts';

/** All of them. */
export const tools: readonly Tool[] = [
  ...readingTools,
  ...mediaTools,
  ...documentTools,
  ...pictureTools,
  ...transcriptTools,
  ...renderTools,
];
