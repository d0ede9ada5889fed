import { createLedgerFold } from '../../../src/context/fold-ledger.ts'
import { createHistoryIndex } from '../../../src/context/history-index.ts'
import type { History } from '../../../src/context/history.ts'
import type { Manifest } from '../../../src/context/manifest.ts'
import { recordCompile } from '../../../src/context/record-compile.ts'
import { rollBack } from '../../../src/context/rollback.ts'
import { strategiesAfter, strategiesAtBoundary } from '../../../src/context/run-strategies.ts'
import { createStrategies } from '../../../src/context/strategies/registry.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { EntryId, NewId, SessionId } from '../../../src/protocol/ids.ts'
import type { Request, Segment } from '../transcript/segment.ts'
import { createHistoryOf, partId } from './history-of.ts'

/** A conversation as the product keeps it: strategies get the results, and their changes go into the ledger. */
export interface Managed {
  /** The history that a request sees, with all changes by tools and rules. */
  before(request: Request, isCold: boolean): History
  /** Records what was sent, so that it can be rolled back. */
  record(history: History, manifest: Manifest): void
  /** Rolls back every change that was applied to the history. */
  rollBackAll(history: History): History
}

const session = 'transcript' as SessionId

/** Begins before the first request of a segment. */
export function createManaged(segment: Segment): Managed {
  const ledger = createLedgerFold()
  const index = createHistoryIndex()
  const historyOf = createHistoryOf(segment)
  const strategies = createStrategies()
  let seq = 0
  let heard = 0
  let named = 0
  const newId: NewId = <Kind>() => `n${++named}` as Kind
  const write = (events: readonly Event[], at: number) => {
    for (const event of events) ledger.apply({ session, seq: ++seq, id: `e${seq}` as EntryId, at, event })
  }
  return {
    before(request, isCold) {
      const plain = historyOf(request)
      const options = { strategies, index, step: request.step, effective: 'applied', newId } as const
      const now = () => ({ ...plain, ledger: ledger.view() })
      for (const block of segment.blocks.slice(heard, request.upTo)) {
        const call = block.kind === 'result' ? callOf(segment, block.call?.id ?? '', block.index) : null
        if (call !== null) write(strategiesAfter(now(), call, options), block.at)
      }
      heard = request.upTo
      if (isCold) write(strategiesAtBoundary(now(), request.at, options), request.at)
      return now()
    },
    record: (history, manifest) => write(recordCompile(history, manifest, null, 'applied'), manifest.at),
    rollBackAll(history) {
      const actor = { kind: 'person', name: 'bench' } as const
      const event = rollBack(ledger.view(), { scope: { afterSeq: 0 }, actor, reason: 'all of it' }, newId)
      write(event === null ? [] : [event], 0)
      return { ...history, ledger: ledger.view() }
    },
  }
}

function callOf({ blocks }: Segment, id: string, before: number): string | null {
  for (let at = before - 1; at >= 0; at--) {
    const block = blocks[at]
    if (block?.kind === 'call' && block.call?.id === id) return partId(block)
  }
  return null
}
