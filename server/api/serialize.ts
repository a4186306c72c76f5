/** Stored things as the API shows them: snake_case, and fields without a value left out. */
import type { RenderRecord } from '../../shared/api.ts';
import type { FullTemplateRecord, TemplateRecord } from './answer-schemas.ts';
import { fileEnding, isSound, isStill } from '../../shared/renderscript/formats.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import type { JsonText } from '../system/json-text.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { TemplateFacts } from '../store/template-record.ts';

/** A Render object whose large parts may still be text; see `answerText`. */
export type WireRender = Omit<RenderRecord, 'modifications'> & {
  readonly modifications?: JsonObject | JsonText;
};

/** A template in answers. */
type WireTemplate = Omit<FullTemplateRecord, 'source'> & { readonly source: JsonText };

/**
 * A render in answers and webhooks. Its fields are set one by one: a list has 50,000, and spreading took most of its
 * time.
 *
 * @param baseUrl The API's address, for links to files. @param isListed Without what may be long. Default false.
 */
export function renderRecord(render: StoredRender, baseUrl: string, isListed = false): WireRender {
  const { id, status, outputFormat, request, facts } = render;
  const { template, modifications, webhookUrl, metadata } = request;
  const done = status === 'succeeded' && facts !== undefined;
  // The others that it always has follow, in the order in which answers have them.
  const record = { id, status } as { -readonly [Name in keyof WireRender]: WireRender[Name] };
  if (status === 'failed') record.error_message = render.errorMessage ?? '';
  record.url = `${baseUrl}/renders/${id}.${fileEnding(outputFormat)}`;
  if (done && facts.snapshot) record.snapshot_url = `${baseUrl}/snapshots/${id}.jpg`;
  if (template) {
    record.template_id = template.id;
    record.template_name = template.name;
    record.template_tags = template.tags;
  }
  record.output_format = outputFormat;
  const scale = done ? render.scale : request.renderScale;
  if (scale !== undefined) record.render_scale = scale;
  if (done) {
    if (!isSound(outputFormat)) {
      record.width = facts.width;
      record.height = facts.height;
    }
    if (!isStill(outputFormat)) {
      if (facts.frameRate !== undefined) record.frame_rate = facts.frameRate;
      if (facts.duration !== undefined) record.duration = facts.duration;
    }
    record.file_size = facts.fileSize;
  }
  if (modifications !== undefined && !isListed) record.modifications = modifications;
  if (webhookUrl !== undefined) record.webhook_url = webhookUrl;
  if (metadata !== undefined) record.metadata = metadata;
  return record;
}

/** A template as the list shows it. */
export function templateRecord(template: TemplateFacts): TemplateRecord {
  const { id, name, tags, createdAt, updatedAt } = template;
  return {
    id,
    name,
    tags,
    created_at: formatDate(new Date(createdAt)),
    updated_at: formatDate(new Date(updatedAt)),
  };
}

/** A template with its document. */
export function fullTemplateRecord(template: TemplateFacts, source: JsonText): WireTemplate {
  return { ...templateRecord(template), source };
}

/** `2026-11-21 14:02:11.304 +0100`, in the computer's time zone. */
export function formatDate(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const milliseconds = String(date.getMilliseconds()).padStart(3, '0');
  // Minutes that local time is ahead of UTC; JavaScript counts how far it is behind.
  const ahead = -date.getTimezoneOffset();
  const offset = `${two(Math.floor(Math.abs(ahead) / 60))}${two(Math.abs(ahead) % 60)}`;
  return `${day} ${time}.${milliseconds} ${ahead < 0 ? '-' : '+'}${offset}`;
}
