import { DragomanError } from '../protocol/error.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createBell } from './bell.ts'
import type { Bell, Journal } from './journal.ts'
import { createMemoryJournal } from './memory.ts'
import type { Ownership } from './ownership.ts'

/** One node's handle on a store in memory that several nodes share. */
export interface MemoryNode {
  readonly journal: Journal
  readonly bell: Bell
  readonly ownership: Ownership
}

/** A store in memory that can be opened by several nodes: the test bench for what several nodes must get right. */
export interface MemoryNodes {
  open(node: string): MemoryNode
  /** Declares a node dead: it loses all its sessions at once, and its later appends are refused. */
  expire(node: string): void
}

interface Held {
  readonly node: string
  readonly lost: AbortController
}

/** Begins empty. */
export function createMemoryNodes(): MemoryNodes {
  const bell = createBell()
  const journal = createMemoryJournal(bell)
  const held = new Map<SessionId, Held>()

  return {
    open(node) {
      const refuse = (session: SessionId) => {
        if (held.get(session)?.node !== node) throw notOwner(session)
      }
      return {
        bell,
        journal: {
          ...journal,
          async append(session, events) {
            refuse(session)
            return await journal.append(session, events)
          },
          async appendOnce(session, once, events) {
            refuse(session)
            return await journal.appendOnce(session, once, events)
          },
        },
        ownership: {
          async claim(session) {
            const owner = held.get(session)
            if (owner !== undefined && owner.node !== node) throw notOwner(session)
            const own = owner ?? { node, lost: new AbortController() }
            held.set(session, own)
            return { lost: own.lost.signal }
          },
          async release(session) {
            if (held.get(session)?.node === node) held.delete(session)
          },
          async ownerOf(session) {
            const owner = held.get(session)
            return owner === undefined ? null : { node: owner.node, isHere: owner.node === node }
          },
        },
      }
    },
    expire(node) {
      for (const [session, { node: owner, lost }] of held)
        if (owner === node) {
          held.delete(session)
          lost.abort()
        }
    },
  }
}

const notOwner = (session: SessionId) =>
  new DragomanError('not-owner', `Session ${session} belongs to another node. Send the request there.`)
