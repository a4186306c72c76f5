/** Tools for renders: create one, wait for it, cancel it. */
import { z } from 'zod';
import { isFinal } from '../../../shared/api.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { createRender } from '../../jobs/create-render.ts';
import { parseParameters } from '../../system/parameters.ts';
import { asRequested, createdRecord, currentRecord, readOrder, renderOf } from '../renders.ts';
import { renderAnswer } from '../answer-schemas.ts';
import { documentOptionParameters, renderOptionParameters } from '../request-schemas.ts';
import type { WireRender } from '../serialize.ts';
import { onlyOverStdio } from './picture-tools.ts';
import {
  cut,
  documentFields,
  documentOf,
  firstOf,
  strictField,
  tool,
  type Tool,
  type ToolContext,
} from './tool.ts';

/** Seconds; clients stop waiting after a minute, whatever they are told meanwhile. */
const longestWait = 45;
const waitWords = `a number of seconds from 0 to ${longestWait}`;

/** A render without what the agent itself has sent. */
const shownFields = renderAnswer.pick({
  id: true,
  status: true,
  waiting_reason: true,
  error_message: true,
  url: true,
  snapshot_url: true,
  output_format: true,
  template_id: true,
  width: true,
  height: true,
  duration: true,
  frame_rate: true,
  file_size: true,
});
const shownRender = z.object(shownFields.shape);
/** What counts while it is not finished; get_render has the rest. */
const newRender = shownRender.pick({ id: true, status: true, url: true });

function shown(record: WireRender): z.infer<typeof shownRender> {
  const { error_message: why } = record;
  return shownRender.parse({ ...record, ...(why !== undefined && { error_message: cut(why) }) });
}

const options = renderOptionParameters.shape;

const render = tool({
  name: 'render',
  title: 'Render a file',
  description:
    'Puts a render of a document or template into the queue and answers at once with its ID; get_render waits for it. First validate it, and look at it with preview_frame.',
  input: z.strictObject({
    ...documentFields,
    output_format: documentOptionParameters.shape.output_format,
    frame_rate: documentOptionParameters.shape.frame_rate,
    render_scale: options.render_scale,
    max_width: options.max_width,
    max_height: options.max_height,
    metadata: options.metadata,
    strict: strictField,
  }),
  output: z.object({
    render: newRender,
    errors: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
  isReadOnly: false,
  run: async (input, { services, url }) => {
    documentOf(input);
    const body = input as Readonly<Record<string, Json>>; // read from JSON
    const order = readOrder(body, parseParameters(renderOptionParameters, body), services);
    const record = createdRecord(await createRender(services, asRequested(order)), url);
    return {
      facts: {
        render: shown(record),
        errors: firstOf(record.errors ?? []).shown.map(cut),
        warnings: firstOf(record.warnings ?? []).shown.map(cut),
      },
    };
  },
});

const id = z.guid('the ID of a render');

const getRender = tool({
  name: 'get_render',
  title: 'Wait for a render',
  description: `The state of a render. Waits until it has succeeded or failed, ${longestWait} seconds at most: call it again while it is neither. The finished file is at url, which needs no key.`,
  input: z.strictObject({
    id,
    wait: z
      .number(waitWords)
      .min(0, waitWords)
      .max(longestWait, waitWords)
      .default(longestWait)
      .describe(`Seconds to wait at most, 0 to ${longestWait}.`),
    save_to: z
      .string('a path')
      .max(4_096, 'a path')
      .describe('Path on this computer to save the finished file to.')
      .exactOptional(),
  }),
  output: z.object({
    render: shownRender,
    percent: z.number().describe('While it is being made.').exactOptional(),
    file: z.string().describe('Where it is on this computer.').exactOptional(),
  }),
  isReadOnly: true,
  run: async ({ id: given, wait, save_to: place }, context) => {
    if (place !== undefined) onlyOverStdio('save_to', 'Load the file from its url');
    const { services, url, signal } = context;
    const { id: known } = renderOf(services, given);
    const unfollow = follow(known, context);
    try {
      await services.pending.waits.untilEnded([known], wait * 1000, signal);
    } finally {
      unfollow();
    }
    const now = renderOf(services, known);
    const progress = isFinal(now.status) ? null : services.queue.progressOf(known);
    return {
      facts: {
        render: shown(await currentRecord(services, now, url)),
        ...(progress && { percent: Math.round(progress.percent) }),
      },
    };
  },
});

/** Tells the progress of a render as it comes. @returns the function that stops it. */
function follow(id: string, { services, tell }: ToolContext): () => void {
  let last = -1;
  return services.events.subscribe((happening) => {
    if (happening.type === 'render.progress' && happening.id === id) {
      const { percent, phase, frame, frames } = happening.progress;
      // The protocol asks that each is more than the last.
      if (percent <= last) return;
      last = percent;
      tell(percent, phase === 'rendering' ? `frame ${frame} of ${frames}` : phase);
    }
  });
}

const cancel = tool({
  name: 'cancel',
  title: 'Cancel a render',
  description: 'Cancels a render. One that has already ended stays as it is.',
  input: z.strictObject({ id }),
  output: z.object({ render: newRender }),
  isReadOnly: false,
  run: async ({ id: given }, { services, url }) => {
    const { id: known } = renderOf(services, given);
    await services.queue.cancel(known);
    return {
      facts: { render: shown(await currentRecord(services, renderOf(services, known), url)) },
    };
  },
});

/** In the order in which agents use them. */
export const renderTools: readonly Tool[] = [render, getRender, cancel];
