import { createHash } from 'node:crypto'
import { newToken } from './token.ts'

/** One-time tickets for sign-in links. Kept in memory only. */
export interface Tickets {
  make(): { readonly ticket: string; readonly expiresAt: number }
  /** Whether a ticket is valid. Each is valid once. */
  redeem(ticket: string): boolean
  /** Invalidates every ticket. */
  clear(): void
}

/** The clock for the age of a ticket. */
export interface TicketClocks {
  readonly now: () => number
  /** A monotonic clock. */
  readonly elapsed: () => number
}

const most = 1000

/** Tickets that expire by two clocks, so that setting back the clock or sleep does not extend them. */
export function createTickets(lastMs: number, { now, elapsed }: TicketClocks): Tickets {
  const expiries = new Map<string, { readonly expiresAt: number; readonly endsAt: number }>()
  const forgetOld = () => {
    for (const [key, { expiresAt, endsAt }] of expiries)
      // With too many tickets, the oldest is removed.
      if (expiresAt <= now() || endsAt <= elapsed() || expiries.size > most) expiries.delete(key)
  }
  return {
    make() {
      const ticket = newToken()
      const expiresAt = now() + lastMs
      expiries.set(keyOf(ticket), { expiresAt, endsAt: elapsed() + lastMs })
      forgetOld()
      return { ticket, expiresAt }
    },
    redeem(ticket) {
      forgetOld()
      return expiries.delete(keyOf(ticket))
    },
    clear: () => expiries.clear(),
  }
}

/** Looked up by digest, so that the time reveals nothing about existing tickets. */
const keyOf = (ticket: string) => createHash('sha256').update(ticket).digest('base64')
