import { createHash } from 'node:crypto'
import { newToken } from './token.ts'

/** One-time tickets for sign-in links. Kept in memory only. */
export interface Tickets {
  make(): { readonly ticket: string; readonly expiresAt: number }
  /** Whether it is good; it is not a second time. */
  redeem(ticket: string): boolean
  /** Makes every ticket that was given out worthless. */
  clear(): void
}

/** The clock for the age of a ticket. */
export interface TicketClocks {
  readonly now: () => number
  /** A monotonic clock. */
  readonly elapsed: () => number
}

const most = 1000

/** Tickets that are good for some time, by both clocks: setting one back or putting the machine to sleep gives no more. */
export function createTickets(lastMs: number, { now, elapsed }: TicketClocks): Tickets {
  const expiries = new Map<string, { readonly expiresAt: number; readonly endsAt: number }>()
  const forgetOld = () => {
    for (const [key, { expiresAt, endsAt }] of expiries)
      // The oldest go when there are too many.
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

/** Looked up by its digest, so that the time it takes reveals nothing about existing tickets. */
const keyOf = (ticket: string) => createHash('sha256').update(ticket).digest('base64')
