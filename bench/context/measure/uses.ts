import type { Block } from '../transcript/block.ts'
import { stringsIn } from '../transcript/block.ts'
import type { Request, Segment } from '../transcript/segment.ts'

/** Something that an answer used, and the earlier blocks in which the model could have read it. */
export interface Use {
  readonly kind: 'edit' | 'identifier'
  readonly words: string
  readonly sources: readonly Block[]
}

/** What each request of a segment used of what it had seen, by step. */
export type Uses = ReadonlyMap<number, readonly Use[]>

/** Finds what the answers of a segment used: the text that each edit replaces, and long identifiers. */
export function usesOf({ blocks, requests }: Segment): Uses {
  const named = createIndex()
  const uses = new Map<number, readonly Use[]>()
  let indexed = 0
  for (const request of requests) {
    for (; indexed < request.upTo; indexed++) {
      const block = blocks[indexed]
      if (block !== undefined) named.add(block)
    }
    const seen = blocks.slice(0, request.upTo)
    uses.set(request.step, [...editsOf(request, seen), ...identifiersOf(request, named)])
  }
  return uses
}

function editsOf({ answer }: Request, seen: readonly Block[]): readonly Use[] {
  return answer.flatMap(replacedBy).flatMap(words => {
    const sources = seen.filter(block => block.words.includes(words))
    return sources.length === 0 ? [] : [{ kind: 'edit' as const, words, sources }]
  })
}

/** The texts that a call replaces: one for Edit, several for MultiEdit. */
export function replacedBy({ call, kind }: Block): readonly string[] {
  if (kind !== 'call' || call === null || !/^(Edit|MultiEdit)$/.test(call.tool)) return []
  const edits: readonly unknown[] = Array.isArray(call.input['edits']) ? call.input['edits'] : [call.input]
  return edits.flatMap(edit => {
    const old = typeof edit === 'object' && edit !== null ? Reflect.get(edit, 'old_string') : undefined
    return typeof old === 'string' && old !== '' ? [old] : []
  })
}

// A longer word is not an identifier, and without a bound a line of nothing but letters overflows the expression's stack.
const identifier = /[A-Za-z_]\w{11,999}/g

const namesIn = (words: string): ReadonlySet<string> => new Set(words.match(identifier))

interface Index {
  add(block: Block): void
  find(name: string): readonly Block[]
}

function createIndex(): Index {
  const places = new Map<string, Block[]>()
  return {
    add(block) {
      for (const name of namesIn(block.words)) {
        const found = places.get(name)
        if (found === undefined) places.set(name, [block])
        else found.push(block)
      }
    },
    find: name => places.get(name) ?? [],
  }
}

function identifiersOf({ answer }: Request, index: Index): readonly Use[] {
  const said = answer.filter(({ kind }) => kind !== 'thinking')
  const names = new Set(
    said.flatMap(({ kind, call, words }) => [
      ...namesIn(kind === 'call' && call !== null ? stringsIn(call.input).join('\n') : words),
    ]),
  )
  return [...names].flatMap(words => {
    // A later request may add to the index's own list.
    const sources = [...index.find(words)]
    return sources.length === 0 ? [] : [{ kind: 'identifier' as const, words, sources }]
  })
}
