import type { Conversation, Part } from '../../../src/context/formats/conversation.ts'
import type { Decision, Manifest, Span } from '../../../src/context/manifest.ts'
import { tokensOf } from '../counting.ts'
import type { Shown } from '../policy.ts'
import { placed, stringsIn, withoutLineNumbers, type Block } from '../transcript/block.ts'
import type { Segment } from '../transcript/segment.ts'
import { partId } from './history-of.ts'

/** Counts what a compiled conversation really contains, and finds what can be read in it. */
export function createShowing({
  blocks,
}: Segment): (conversation: Conversation, manifest: Manifest) => readonly Shown[] {
  const byPart = new Map(blocks.map(block => [partId(block), block]))
  const known = new Map<Part, Shown>()
  const blockOf = (part: Part): Block => {
    const block = byPart.get(part.id) ?? strange(part)
    byPart.set(part.id, block)
    return block
  }
  return ({ messages }, { decisions }) =>
    messages.flatMap(({ parts }) =>
      parts.map(part => {
        const seen = known.get(part)
        const decision = decisions.get(part.id)
        if (seen !== undefined && decision?.as !== 'reference') return seen
        const block = blockOf(part)
        const shown = {
          block,
          tokens: counted(part, block),
          words: wordsOf(part, block, decision, decisions),
          standing: decision?.as === 'reference' ? withoutLineNumbers(textOf(part)) : null,
          sent: part,
        }
        known.set(part, shown)
        return shown
      }),
    )
}

/** A part that is in no transcript: the compiler's synthetic result for a missing one. */
const strange = (part: Part): Block =>
  placed(
    { kind: part.kind === 'result' ? 'result' : 'text', message: part.id, at: 0, content: textOf(part) },
    -1,
    0,
  )

const counted = (part: Part, { kind }: Block): number => tokensOf(kind, textOf(part).length)

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return part.inputText ?? JSON.stringify(part.input)
    case 'result':
      return part.content.map(each => (each.kind === 'text' ? each.text : '')).join('')
    case 'file':
    case 'unknown':
      return ''
  }
}

function wordsOf(
  part: Part,
  block: Block,
  decision: Decision | undefined,
  decisions: Manifest['decisions'],
): string | null {
  if (decision === undefined) return null
  if (decision.as !== 'reference')
    return part.kind === 'call' ? stringsIn(part.input).join('\n') : withoutLineNumbers(textOf(part))
  const broken = decision.spans.filter(span => !isVisible(span, decisions.get(span.source)))
  return broken.length === 0 ? null : without(block.words, broken)
}

/** Lines behind a reference can be read as long as they are, unchanged, where the reference points. */
function isVisible({ sourceFrom, lines }: Span, source: Decision | undefined): boolean {
  if (source === undefined) return true
  if (source.as !== 'reference') return false
  return source.spans.every(span => span.from >= sourceFrom + lines || span.from + span.lines <= sourceFrom)
}

const without = (words: string, spans: readonly Span[]): string =>
  words
    .split('\n')
    .filter((_, line) => !spans.some(({ from, lines }) => line >= from && line < from + lines))
    .join('\n')
