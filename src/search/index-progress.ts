import type { SessionId } from '../protocol/ids.ts'
import type { Positions } from './threads/messages.ts'

/** How far each session is handed to the index, how far it is saved there, and how far it has to be. */
export class IndexProgress {
  private readonly taken = new Map<SessionId, number>()
  private readonly saved = new Map<SessionId, number>()
  /** Only of sessions that are behind. */
  private readonly heads = new Map<SessionId, number>()

  /** Begins with what the index has. */
  restart(positions: Positions): void {
    this.taken.clear()
    this.saved.clear()
    this.heads.clear()
    for (const [session, seq] of positions) {
      this.taken.set(session, seq)
      this.saved.set(session, seq)
    }
  }

  sessions(): readonly SessionId[] {
    return [...this.taken.keys()]
  }

  takenOf(session: SessionId): number {
    return this.taken.get(session) ?? 0
  }

  take(session: SessionId, seq: number): void {
    this.taken.set(session, seq)
  }

  save(positions: Positions): void {
    for (const [session, seq] of positions) {
      this.saved.set(session, seq)
      if ((this.heads.get(session) ?? 0) <= seq) this.heads.delete(session)
    }
  }

  /** The last entry of a session. */
  wants(session: SessionId, head: number): void {
    this.heads.set(session, head)
  }

  /** The session cannot be read, or is gone. */
  forget(session: SessionId): void {
    this.taken.delete(session)
    this.saved.delete(session)
    this.heads.delete(session)
  }

  /** How many entries are not saved yet. */
  behind(): number {
    let sum = 0
    for (const [session, head] of this.heads) sum += Math.max(0, head - (this.saved.get(session) ?? 0))
    return sum
  }
}
