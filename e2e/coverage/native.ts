import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FileCoverage, Range } from './sums.ts'

/** V8's coverage of a script: nested ranges of its text, the outer ones first, each with how often it was run. */
interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Span[] }[]
}

interface Span {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** By file, the spans of each time that it was run. */
export type Native = ReadonlyMap<string, readonly (readonly Span[])[]>

/** Reads the reports of processes and threads, as far as they are about a folder. Types are blanked, so offsets stay. */
export function readNative(reports: readonly string[], folder: string): Native {
  const found = new Map<string, (readonly Span[])[]>()
  for (const report of reports) {
    for (const { url, functions } of scriptsIn(report)) {
      if (!url.startsWith(`file://${folder}/`)) continue
      const path = fileURLToPath(url)
      const spans = functions.flatMap(({ ranges }) => ranges)
      found.set(path, [...(found.get(path) ?? []), spans])
    }
  }
  return found
}

/** A process that is killed while it writes its report leaves an incomplete file, which is skipped. */
function scriptsIn(report: string): readonly Script[] {
  try {
    return (JSON.parse(readFileSync(report, 'utf8')) as { readonly result: readonly Script[] }).result
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    console.log(`Skipped ${report}: its process was killed while it wrote it.`)
    return []
  }
}

/** Adds the coverage of other processes to the report of a file. */
export function addNative(
  coverage: FileCoverage,
  runs: Native extends ReadonlyMap<string, infer Runs> ? Runs : never,
  text: string,
): void {
  if (runs.length === 0) return
  const starts = lineStarts(text)
  const wasRun = ({ start }: Range) => {
    const offset = (starts[(start.line ?? 1) - 1] ?? 0) + (start.column ?? 0)
    return runs.some(spans => countAt(spans, offset) > 0)
  }
  for (const [id, range] of Object.entries(coverage.statementMap))
    if (coverage.s[id] === 0 && wasRun(range)) coverage.s[id] = 1
  for (const [id, { locations }] of Object.entries(coverage.branchMap)) {
    const counts = coverage.b[id] ?? []
    for (const [at, range] of locations.entries()) if (counts[at] === 0 && wasRun(range)) counts[at] = 1
  }
}

/** How often the innermost span around an offset was run. */
function countAt(spans: readonly Span[], offset: number): number {
  let inner: Span | null = null
  for (const span of spans) {
    if (span.startOffset > offset || span.endOffset <= offset) continue
    if (inner === null || span.endOffset - span.startOffset <= inner.endOffset - inner.startOffset)
      inner = span
  }
  return inner?.count ?? 0
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
