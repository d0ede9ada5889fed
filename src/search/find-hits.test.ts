import { expect, it } from 'vitest'
import type { SessionId } from '../protocol/ids.ts'
import type { Found } from './engine.ts'
import { findHits, type Finding } from './find-hits.ts'
import { parseQuery } from './query/parse-query.ts'
import type { MatchPart } from './threads/messages.ts'

const session = 's' as SessionId
const placeAt = (seq: number): Found => ({
  session,
  seq,
  first: seq,
  at: seq,
  cursor: { at: seq, id: seq },
  message: 'm',
  thread: null,
  kind: 'answer',
  part: String(seq),
})

it('[S28] reads no more than it compares, and compares long texts in portions', async () => {
  const asked: (readonly [after: number, limit: number])[] = []
  const compared: number[] = []
  const thread = {
    async call(name: string, { parts = [] }: { readonly parts?: readonly MatchPart[] }) {
      if (name === 'find') return [9, 8, 7, 6, 5].map(placeAt)
      compared.push(parts.length)
      return parts.map(() => ({ snippet: 'x', ranges: [] }))
    },
  } as unknown as Finding['thread']
  const journal: Finding['journal'] = {
    async readTexts(_, after, limit) {
      asked.push([after, limit])
      return Array.from({ length: limit }, () => 'x'.repeat(900_000))
    },
  }
  const finding = { thread, journal, deletedOf: async () => new Set<SessionId>(), now: () => 0 }
  const page = await findHits(finding, parseQuery('x'), { cursor: null, limit: 20 })
  expect(page).toMatchObject({
    hits: [{ seq: 9 }, { seq: 8 }, { seq: 7 }, { seq: 6 }, { seq: 5 }],
    next: null,
  })
  expect(asked).toEqual([[4, 5]])
  expect(compared).toEqual([2, 2, 1])
})
