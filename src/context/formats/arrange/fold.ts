import type { Segment, Target } from '../codec.ts'
import type { Part, UnknownPart } from '../conversation.ts'
import type { Pairs } from './pair.ts'

/**
 * Each result next to its call, as UI messages have it. Everything from the assistant and its tools, up to
 * the next user message, is one message of several steps, unless it came as messages of this format.
 */
export function fold(segments: readonly Segment[], target: Target, pairs: Pairs): readonly Segment[] {
  const folded: Segment[] = []
  for (const segment of segments) {
    const spoken = { ...segment, parts: segment.parts.flatMap(part => withResult(part, pairs)) }
    if (spoken.parts.length === 0 && segment.parts.length > 0) continue
    const last = folded.at(-1)
    const isOwn = segment.message?.native?.format === target.format
    if (isOwn || segment.role !== 'assistant') folded.push(spoken)
    else if (last?.role === 'assistant' && last.message?.native?.format !== target.format)
      folded[folded.length - 1] = { ...last, parts: [...last.parts, ...step(spoken)] }
    else folded.push({ ...spoken, parts: step(spoken) })
  }
  return folded
}

/** A call brings its result along; a result alone has been brought. */
function withResult(part: Part, pairs: Pairs): readonly Part[] {
  if (part.kind === 'result') return []
  const result = part.kind === 'call' ? pairs.resultOf.get(part) : undefined
  return result === undefined ? [part] : [part, result]
}

const step = ({ parts, message }: Segment): readonly Part[] => [
  stepStart(message?.id ?? parts[0]?.id ?? ''),
  ...parts,
]

const stepStart = (id: string): UnknownPart => ({
  id: `${id}.step`,
  kind: 'unknown',
  name: 'step-start',
  native: { format: 'ui-messages', json: { type: 'step-start' } },
})
