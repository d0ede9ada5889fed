import type { Segment, Target } from '../codec.ts'
import type { CallPart, Part, ResultPart } from '../conversation.ts'
import { isInPlace, isResult } from './cut.ts'
import type { Pairs } from './pair.ts'

/** Consecutive assistant messages, and everything up to the next assistant message. */
interface Round {
  readonly messages: readonly Segment[]
  readonly answers: readonly Segment[]
}

/** Every call answered where the provider looks for it: results are moved there, and missing ones made. */
export function answer(segments: readonly Segment[], target: Target, pairs: Pairs): readonly Segment[] {
  return rounds(segments).flatMap(round => {
    const calls = round.messages.flatMap(({ parts }) =>
      parts.filter((part): part is CallPart => part.kind === 'call' && !isInPlace(part, target)),
    )
    return target.rules.results === 'later'
      ? answerLater(round, calls, pairs)
      : answerNext(round, calls, target, pairs)
  })
}

function rounds(segments: readonly Segment[]): readonly Round[] {
  const found: { messages: Segment[]; answers: Segment[] }[] = [{ messages: [], answers: [] }]
  for (const segment of segments) {
    const last = found.at(-1)
    if (segment.role !== 'assistant') last?.answers.push(segment)
    else if (last?.answers.length === 0) last.messages.push(segment)
    else found.push({ messages: [segment], answers: [] })
  }
  return found
}

/** Results may stay wherever they come after their call. */
function answerLater(
  { messages, answers }: Round,
  calls: readonly CallPart[],
  pairs: Pairs,
): readonly Segment[] {
  const missing = calls.filter(call => !pairs.resultOf.has(call)).map(missingResult)
  return [...messages, ...asSegment(missing), ...answers]
}

const asSegment = (parts: readonly Part[]): readonly Segment[] =>
  parts.length === 0 ? [] : [{ role: 'tool', parts, message: null }]

function answerNext(
  { messages, answers }: Round,
  calls: readonly CallPart[],
  target: Target,
  pairs: Pairs,
): readonly Segment[] {
  const isOwn = (part: Part) => part.kind === 'result' && calls.includes(pairs.callOf.get(part) as CallPart)
  const kept = answers.flatMap(segment => {
    const parts = segment.parts.filter(part => !isResult(part, target) || isOwn(part))
    return parts.length > 0 || segment.parts.length === 0 ? [{ ...segment, parts }] : []
  })
  const here = new Set(kept.flatMap(({ parts }) => parts))
  const absent = calls.filter(call => !here.has(pairs.resultOf.get(call) as ResultPart))
  if (absent.length === 0 && isOrderly(kept, target)) return [...messages, ...kept]
  const results = calls.map(call => pairs.resultOf.get(call) ?? missingResult(call))
  const rest = kept.flatMap(segment => {
    const parts = segment.parts.filter(part => !isResult(part, target))
    return parts.length > 0 ? [{ ...segment, parts }] : []
  })
  return [...messages, ...asSegment(results), ...rest]
}

/** Results first, with nothing in between, and in one message where the provider wants that. */
function isOrderly(answers: readonly Segment[], target: Target): boolean {
  const marks = answers.flatMap(({ parts }) => parts.map(part => isResult(part, target)))
  const isSorted = marks.lastIndexOf(true) === marks.filter(Boolean).length - 1
  const holders = answers.filter(({ parts }) => parts.some(part => isResult(part, target)))
  return isSorted && (!target.rules.gathersResults || holders.length <= 1)
}

/** Replaces a result that never came, and says why. The same call always gets the same text, which keeps the cache valid. */
const missingResult = ({ id, call, tool, denial }: CallPart): ResultPart => ({
  id: `${id}.missing`,
  kind: 'result',
  call,
  tool,
  content: [{ id: `${id}.missing.0`, kind: 'text', text: reason(denial) }],
  isError: true,
})

function reason(denial: string | undefined): string {
  if (denial === undefined) return 'No result: the call was not finished.'
  return denial.trim() === ''
    ? 'No result: the call was denied.'
    : `No result: the call was denied: ${denial}`
}
