import type { ToolPart } from 'dragoman'
import { toolNamed, type ToolFamily } from 'dragoman/client/work-log'
import type { Row, RowOf, StepRow } from './row.ts'

/** Which runs of steps are shown in full. */
export interface StepChoices {
  /** The interaction that runs, or ran last while the user watched: folding it would move what they read. */
  readonly watched: string | null
  /** The keys of the runs that were opened. */
  readonly open: ReadonlySet<string>
}

/** Everything is folded. */
export const noSteps: StepChoices = { watched: null, open: new Set() }

/** The opened runs after one of them was opened or closed. */
export function toggled(open: StepChoices['open'], run: string, isOpen: boolean): StepChoices['open'] {
  const after = new Set(open)
  if (isOpen) after.add(run)
  else after.delete(run)
  return after
}

/** Shorter runs stay as they are. */
const fewest = 5

/** Rows with their long runs of steps folded, and whether there are such runs. */
export interface FoldedSteps {
  readonly rows: readonly Row[]
  readonly hasSteps: boolean
}

/** Folds each long run of finished tool calls and thoughts into one row; an opened run follows its row. */
export function foldSteps(rows: readonly Row[], open: StepChoices['open']): FoldedSteps {
  const folded: Row[] = []
  let hasSteps = false
  let run: StepRow[] = []
  const end = () => {
    if (run.length < fewest) folded.push(...run)
    else {
      hasSteps = true
      const head = headOf(run, open)
      folded.push(head)
      if (head.open) folded.push(...run)
    }
    run = []
  }
  for (const row of rows) {
    const isNext = isStep(row) && (run[0] === undefined || isBeside(run[0], row))
    if (!isNext) end()
    if (isStep(row)) run.push(row)
    else folded.push(row)
  }
  end()
  return { rows: folded, hasSteps }
}

const isBeside = (one: Row, other: Row): boolean => one.thread === other.thread && one.depth === other.depth

/** Calls that are part of the conversation itself: a question and its answer, a plan to approve. */
const shownFamilies: ReadonlySet<ToolFamily> = new Set(['ask', 'plan', 'delegate'])

const isStep = (row: Row): row is StepRow =>
  row.kind === 'thinking' ? !row.streaming : row.kind === 'tool' && row.isStart !== true && isOver(row.part)

const isOver = (part: ToolPart): boolean =>
  (part.state === 'output-error' || (part.state === 'output-available' && part.preliminary !== true)) &&
  part.approval?.approved !== false &&
  !shownFamilies.has(toolNamed(part.toolName).family)

const heads = new WeakMap<Row, RowOf<'steps'>>()

/** The row of a run; the same object while nothing about it changed. */
function headOf(steps: readonly StepRow[], opened: StepChoices['open']): RowOf<'steps'> {
  const [first] = steps as readonly [StepRow]
  const key = `steps ${first.key}`
  const open = opened.has(key)
  const known = heads.get(first)
  if (known?.open === open && areSameRows(known.steps, steps)) return known
  const { depth, thread, message } = first
  const head: RowOf<'steps'> = { key, depth, thread, message, kind: 'steps', steps, open }
  heads.set(first, head)
  return head
}

/** Whether rows are the same objects. Changes are mostly at the end. */
export function areSameRows(before: readonly Row[], after: readonly Row[]): boolean {
  if (before.length !== after.length) return false
  for (let at = after.length - 1; at >= 0; at -= 1) if (after[at] !== before[at]) return false
  return true
}

/** All rows, those in folded runs included. */
export const withSteps = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap(row => (row.kind === 'steps' && !row.open ? [row, ...row.steps] : [row]))
