import type { SessionId } from '../protocol/ids.ts'

/**
 * Who may write a session. Where one process has the whole store (SQLite, memory) that is always this process. Where several
 * nodes share a store, at most one of them owns a session at a time, and only the owner's appends are saved: an append of
 * anyone else fails with `not-owner`, and must not be retried there.
 */
export interface Ownership {
  /** Takes a session, unless another node has it: then it fails with `not-owner`. Claiming one's own again is harmless. */
  claim(session: SessionId): Promise<Claim>
  /** Lets go of a session. Harmless when it is not ours. */
  release(session: SessionId): Promise<void>
  /** The owner of a session; null when no process holds it, so that this process may claim it. */
  ownerOf(session: SessionId): Promise<Owner | null>
}

/** An owner of a session, as others see it. */
export interface Owner {
  readonly node: string
  readonly isHere: boolean
}

/** A session that is ours from now on. */
export interface Claim {
  /** Aborted when the session is no longer ours, for example because this node was declared dead. */
  readonly lost: AbortSignal
}

/** The ownership of a process that has its store for itself: every session is its own, and stays so. */
export const soleOwnership: Ownership = {
  // A signal for each claim: listeners on a shared one would keep every session in memory.
  claim: async () => ({ lost: new AbortController().signal }),
  release: async () => {},
  ownerOf: async () => null,
}
