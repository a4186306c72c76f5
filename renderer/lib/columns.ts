/** The columns of the list of renders: those that are always there, and those that can be added. Pure. */
import type { WindowRender } from '../../shared/api.ts';
import { clockTime, exactTime, relativeTime, shortId } from './format.ts';
import { say, type MessageKey } from './say.ts';

/** A column that can be added. */
export type OptionalColumn =
  'id' | 'project' | 'started' | 'duration' | 'speed' | 'attempts' | 'webhook' | 'expires';

interface ColumnRow {
  readonly name: OptionalColumn;
  readonly title: MessageKey & `queue.column.${string}`;
  /** Pixels. */
  readonly width: number;
  readonly text: (render: WindowRender, now: number, project: string) => string;
}

const table: readonly ColumnRow[] = [
  { name: 'id', title: 'queue.column.id', width: 84, text: ({ id }) => shortId(id) },
  {
    ...{ name: 'project', title: 'queue.column.project', width: 110 },
    text: (_render, _now, project) => project,
  },
  {
    ...{ name: 'started', title: 'queue.column.started', width: 88 },
    text: ({ startedAt }, now) => (startedAt === undefined ? '' : relativeTime(startedAt, now)),
  },
  {
    ...{ name: 'duration', title: 'queue.column.duration', width: 70 },
    text: ({ startedAt, finishedAt }) =>
      startedAt === undefined || finishedAt === undefined
        ? ''
        : clockTime((finishedAt - startedAt) / 1000),
  },
  {
    ...{ name: 'speed', title: 'queue.column.speed', width: 70 },
    text: ({ record, startedAt, finishedAt, progress }) => {
      if (progress?.framesPerSecond !== undefined)
        return `${Math.round(progress.framesPerSecond)}/s`;
      const { frame_rate: rate, duration } = record;
      const seconds = ((finishedAt ?? 0) - (startedAt ?? 0)) / 1000;
      if (rate === undefined || duration === undefined || seconds <= 0) return '';
      return `${Math.round((rate * duration) / seconds)}/s`;
    },
  },
  {
    ...{ name: 'attempts', title: 'queue.column.attempts', width: 70 },
    text: ({ attempts }) => (attempts === 0 ? '' : String(attempts)),
  },
  {
    ...{ name: 'webhook', title: 'queue.column.webhook', width: 150 },
    text: ({ record }) => record.webhook_url?.replace(/^https?:\/\//, '') ?? '',
  },
  {
    ...{ name: 'expires', title: 'queue.column.expires', width: 104 },
    text: ({ expiresAt }) => exactTime(expiresAt).split(',').slice(0, 2).join(','),
  },
];

/** The columns that can be added, with their words. */
export const optionalColumns = table.map(({ name, width, text, title }) => ({
  ...{ name, width, text },
  title: (say as (key: ColumnRow['title']) => string)(title),
}));

/** A column as the list draws it. */
export type DrawnColumn = (typeof optionalColumns)[number];

/** The chosen ones, in the order of the table. */
export function chosenColumns(names: readonly string[]): readonly DrawnColumn[] {
  return optionalColumns.filter(({ name }) => names.includes(name));
}
