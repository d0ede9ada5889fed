import { createHash } from 'node:crypto'
import { newToken } from './token.ts'

/** Lets a browser in once: what stands in a printed address. Kept in memory only. */
export interface Tickets {
  make(): { readonly ticket: string; readonly expiresAt: number }
  /** Whether it is good; it is not a second time. */
  redeem(ticket: string): boolean
}

const most = 1000

/** Tickets that are good for some time. The oldest go when there are too many. */
export function createTickets(lastMs: number, now: () => number): Tickets {
  const expiries = new Map<string, number>()
  const forgetOld = () => {
    for (const [key, expiresAt] of expiries)
      if (expiresAt <= now() || expiries.size > most) expiries.delete(key)
  }
  return {
    make() {
      const ticket = newToken()
      const expiresAt = now() + lastMs
      expiries.set(keyOf(ticket), expiresAt)
      forgetOld()
      return { ticket, expiresAt }
    },
    redeem(ticket) {
      forgetOld()
      return expiries.delete(keyOf(ticket))
    },
  }
}

/** Looked up by its digest, so that the time it takes says nothing about the tickets there are. */
const keyOf = (ticket: string) => createHash('sha256').update(ticket).digest('base64')
