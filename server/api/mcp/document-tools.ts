/** Tools that work on a document: check it, and store it as a template. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { countOf, findingLevels } from '../../../shared/findings.ts';
import { patchOf } from '../../../shared/renderscript/json-patch.ts';
import {
  problemSentence,
  type Json,
  type JsonObject,
  type Problem,
} from '../../../shared/renderscript/source.ts';
import { parseParameters } from '../../system/parameters.ts';
import { documentToDraw, drawMoment, type PictureQuestion } from '../previews.ts';
import type { ProjectServices } from '../project.ts';
import { estimateAnswer } from '../answer-schemas.ts';
import { changeTemplateBody, createTemplateBody } from '../request-schemas.ts';
import { templateRecord } from '../serialize.ts';
import { changeTemplate, createTemplate } from '../templates.ts';
import {
  cut,
  documentFields,
  documentOf,
  firstOf,
  shownTemplate,
  strictField,
  tool,
  type Tool,
} from './tool.ts';

/** A step of a JSON Patch (RFC 6902). */
const patchStep = z.object({
  op: z.enum(['add', 'remove', 'replace', 'move']),
  path: z.string(),
  from: z.string().exactOptional(),
  value: z.unknown().exactOptional(),
});

const problemShape = z
  .object({
    path: z.string(),
    code: z.string(),
    message: z.string(),
    element: z.string().exactOptional(),
    fix: z.array(patchStep).describe('A JSON Patch.').exactOptional(),
  })
  // Described once for both lists.
  .meta({ id: 'Problem' });

function shownProblem(source: JsonObject, problem: Problem): z.infer<typeof problemShape> {
  const { code, element } = problem;
  const path = cut(problem.path);
  const fix = path === problem.path ? patchOf(source, problem) : [];
  return {
    path,
    code,
    message: cut(problem.message),
    ...(element !== '' && { element: cut(element) }),
    ...(fix.length > 0 && { fix }),
  };
}

/** Moments to look at. */
const mostLooks = 4;
/** Milliseconds for all of them. */
const looksTime = 10_000;

/**
 * Texts that overflow in the middle of their time. What can't be drawn now, e.g. without the previews' worker, is not
 * told of.
 */
async function overflowsIn(
  services: ProjectServices,
  question: PictureQuestion,
): Promise<readonly Problem[]> {
  try {
    const tiny = { ...question, max_side: 16 };
    const { facts } = await drawMoment(services, tiny);
    const texts = facts.elements.filter(({ type }) => type === 'text');
    const middles = texts.map(({ start, duration }) => Number((start + duration / 2).toFixed(1)));
    const found = new Map<string, Problem>();
    for (const time of [...new Set(middles)].slice(0, mostLooks)) {
      const { overflows } = (await drawMoment(services, { ...tiny, time })).facts;
      for (const one of overflows) found.set(`${one.path} ${one.code}`, one);
    }
    return [...found.values()];
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

const validate = tool({
  name: 'validate',
  title: 'Check a document',
  description:
    'Checks a document or template without rendering it: every error and warning with its path, what was expected and found, and, where it is certain, the repair; also texts that overflow their boxes or leave the picture, in pixels. Errors make a render fail; warnings are mostly misspelt names. Repair both and check again.',
  input: z.strictObject({
    ...documentFields,
    strict: strictField,
  }),
  output: z.object({
    valid: z.boolean(),
    errors: z.array(problemShape),
    warnings: z.array(problemShape),
    more: z.int().describe('Further ones that are not listed.'),
  }),
  isReadOnly: true,
  run: async ({ strict, ...given }, { services }) => {
    const question = documentOf(given);
    const wanted = {
      source: await documentToDraw(services, question),
      scaling: {},
      ...(question.modifications !== undefined && { modifications: question.modifications }),
      ...(strict !== undefined && { strict }),
    };
    const { project, desk } = services;
    const { text, problems, unlisted } = await desk.prepare(wanted, project.id);
    // The API's thread does not parse a long one: what needs the values of the document is then left out.
    const source = text.isShort ? text.value : {};
    const fails = problems.some(({ severity }) => severity === 'error');
    const all = fails
      ? problems
      : [
          ...problems,
          ...(await Promise.race([overflowsIn(services, question), pause(looksTime, [])])),
        ];
    const of = (severity: Problem['severity']): ReturnType<typeof firstOf<Problem>> =>
      firstOf(all.filter((problem) => problem.severity === severity));
    const [errors, warnings] = [of('error'), of('warning')];
    return {
      facts: {
        valid: errors.shown.length === 0,
        errors: errors.shown.map((problem) => shownProblem(source, problem)),
        warnings: warnings.shown.map((problem) => shownProblem(source, problem)),
        more: errors.more + warnings.more + unlisted.error + unlisted.warning,
      },
    };
  },
});

const shownFinding = z.object({
  path: z.string(),
  element: z.string(),
  level: z.enum(findingLevels),
  code: z.string(),
  message: z.string(),
  cure: z.string(),
  time: z.number().describe('Seconds of the film where it shows.').exactOptional(),
  fix: z.array(patchStep).describe('The cure as a JSON Patch.').exactOptional(),
});

const check = tool({
  name: 'check',
  title: 'Check everything before rendering',
  description:
    'Looks at a document as its render would: fetches and examines every file, draws texts where they stand, mixes the sound. Answers everything that can go wrong, each with place, cause and cure: missing files and letters, texts that overflow, leave the picture, are too small, too pale or gone too soon, captions faster than 20 characters a second, edges, silence, clipping, elements that do not fit the film; and an estimate of time and bytes. Takes some seconds: use validate while writing, and this once before render.',
  input: z.strictObject(documentFields),
  output: z.object({
    valid: z.boolean().describe('False if a render would fail.'),
    findings: z.array(shownFinding),
    more: z.int().describe('Further ones that are not listed.'),
    estimate: estimateAnswer.nullable(),
  }),
  isReadOnly: true,
  run: async (input, { services, signal }) => {
    const question = documentOf(input);
    const { text, problems } = await services.desk.prepare(
      {
        source: await documentToDraw(services, question),
        scaling: {},
        ...(question.modifications !== undefined && { modifications: question.modifications }),
      },
      services.project.id,
    );
    const { findings, more, estimate } = await services.pending.checks.check(
      { source: text, problems, scaling: {} },
      services.project.id,
      signal,
    );
    const { shown, more: left } = firstOf(findings);
    return {
      facts: {
        valid: countOf(findings, 'error') === 0,
        findings: shown.map(({ patch, ...finding }) => ({
          ...finding,
          path: cut(finding.path),
          element: cut(finding.element),
          message: cut(finding.message),
          ...(patch && cut(finding.path) === finding.path && { fix: patch }),
        })),
        more: more + left,
        estimate,
      },
    };
  },
});

const given = createTemplateBody.shape;

const saveTemplate = tool({
  name: 'save_template',
  title: 'Save a template',
  description:
    'Stores a document as a template, to be used by its ID with modifications. With template_id, changes that template; renders that already exist keep the document as it was.',
  input: z.strictObject({
    name: given.name.describe('Needed for a new template.').exactOptional(),
    source: documentFields.source.describe('Needed for a new template.'),
    tags: given.tags.describe('Labels that lists are filtered by.'),
    template_id: documentFields.template_id.describe('The template to change.'),
  }),
  output: z.object({
    template: shownTemplate,
    is_new: z.boolean(),
    problems: z.array(z.string()).describe('Of its document; validate has repairs.'),
  }),
  isReadOnly: false,
  run: async ({ template_id: id, ...rest }, { services }) => {
    const isNew = id === undefined;
    const body = rest as Readonly<Record<string, Json>>; // read from JSON
    const { template, source } = isNew
      ? await createTemplate(services, parseParameters(createTemplateBody, body))
      : await changeTemplate(services, id, parseParameters(changeTemplateBody, body));
    const { problems } = await services.desk.prepare({ source, scaling: {} }, services.project.id);
    const told = firstOf(problems).shown.map((problem) => cut(problemSentence(problem)));
    return { facts: { template: templateRecord(template), is_new: isNew, problems: told } };
  },
});

/** In the order in which agents use them. */
export const documentTools: readonly Tool[] = [validate, check, saveTemplate];
