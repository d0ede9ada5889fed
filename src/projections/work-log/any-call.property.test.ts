import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { ToolCallResult } from '../tool-calls.ts'
import { resultOf } from './result.ts'
import { subjectOf } from './subject.ts'
import type { WorkPair } from './work-facts.ts'
import { entryOf } from './work-log-entry.ts'

const tools = `
  Read Write Edit MultiEdit Glob Grep Bash BashOutput WebFetch WebSearch TodoWrite TaskUpdate
  ExitPlanMode AskUserQuestion Task Skill wait recall apply_patch fileChange mcp__a__b mcp__
  constructor __proto__`
  .trim()
  .split(/\s+/)
const names = `
  file_path path paths content changes edits old_string patch command pattern todos plan status
  questions answers locations offset limit kind title url output structured metadata file
  structuredPatch filediff exitCode display __proto__`
  .trim()
  .split(/\s+/)
const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('x'.repeat(50_000), 'line\n'.repeat(5000), 'Exit code 3\nbad', '../'.repeat(3000)),
)
const { json } = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('json'), { maxKeys: 5 }),
  ),
}))
const result: fc.Arbitrary<ToolCallResult> = fc.oneof(
  fc.constant({ outcome: 'pending' } as const),
  fc.record({ outcome: fc.constant('success' as const), output: json }),
  fc.record({ outcome: fc.constant('failure' as const), errorText: fc.string({ maxLength: 500 }) }),
  fc.constant({ outcome: 'denied' } as const),
)

it('[X7] any call with any result has a short line, always the same, and never throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...tools),
      json,
      result,
      fc.option(fc.nat(1e7)),
      (tool, input, end, duration) => {
        const isOver = end.outcome !== 'pending'
        const make = () => {
          const pair: WorkPair = {
            toolCallId: 'c',
            message: 'm',
            thread: null,
            interaction: null,
            start: { seq: 1, at: 1 },
            ready: null,
            end: isOver ? { seq: 2, at: 2 } : null,
            closed: false,
            approval: null,
            duration,
            subject: subjectOf({ tool, input, agent: null, cwd: '/work' }),
            result: resultOf(end),
          }
          return { entry: entryOf(pair), stored: JSON.stringify([pair.subject, pair.result]) }
        }
        const { entry, stored } = make()
        expect(make()).toEqual({ entry, stored })
        expect(entry.sentence.trim()).not.toBe('')
        expect(entry.sentence).not.toMatch(/\p{Cc}/u)
        expect(entry.sentence.length).toBeLessThan(800)
        expect(stored.length).toBeLessThan(60_000)
        expect(entry.outcome === 'pending').toBe(!isOver)
      },
    ),
    { numRuns: 2000 },
  )
})
