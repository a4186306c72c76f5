/**
 * THE TABLE of what a check looks for: each row finds the faults of one kind in facts that are gathered once. A new
 * check is a row in the file of its area. Pure.
 */
import type { CheckReport, Finding } from '../../../shared/findings.ts';
import { findingLevels } from '../../../shared/findings.ts';
import { checkLimits } from '../../../shared/limits.ts';
import { documentChecks } from './document-checks.ts';
import type { CheckFacts, CheckRow } from './facts.ts';
import { fontChecks } from './font-checks.ts';
import { soundChecks } from './sound-checks.ts';
import { textChecks } from './text-checks.ts';
import { timeChecks } from './time-checks.ts';

/** All of them, in the order in which their findings of one level are listed. */
export const checks: readonly CheckRow[] = [
  ...documentChecks,
  ...fontChecks,
  ...textChecks,
  ...timeChecks,
  ...soundChecks,
];

/** What all rows find: of a kind one for each element, so that no fault of a template fills the list. */
export function findingsOf(facts: CheckFacts): CheckReport {
  const told = new Map<string, Finding>();
  for (const { code, level, find } of checks) {
    for (const fault of find(facts)) {
      const finding: Finding = { code, level, ...fault };
      const [element = finding.path] = /^.*elements\[\d+\]/.exec(finding.path) ?? [];
      const isChecker = facts.problems.some(
        (one) => one.code === finding.code && one.path === finding.path,
      );
      const key = `${isChecker ? finding.path : element} ${finding.code}`;
      if (!told.has(key)) told.set(key, finding);
    }
  }
  const all = [...told.values()].toSorted(
    (a, b) => findingLevels.indexOf(a.level) - findingLevels.indexOf(b.level),
  );
  return {
    findings: all.slice(0, checkLimits.findings),
    more: Math.max(0, all.length - checkLimits.findings),
    estimate: facts.film?.estimate ?? null,
  };
}
