import type { ConnectionState, SessionState } from 'dragoman/client'
import { isLost } from '../ui/use-lost.ts'

/** The facts for the connection banner. */
export interface ConnectionFacts extends Pick<ConnectionState, 'state' | 'problem'> {
  /** Whether the browser is online. */
  readonly isOnline: boolean
  /** The session that is open; null where there is none. */
  readonly phase: SessionState['phase'] | null
  /** Whether any data was loaded: a page opened without the server has nothing to show. */
  readonly isRead: boolean
  /** How many prompts have not reached the server. */
  readonly unsent: number
  /** Whether the server refuses this browser. */
  readonly isSignedOut: boolean
}

/** The banner about the connection. */
export interface ConnectionNote {
  readonly kind: 'offline' | 'unreachable' | 'catching-up' | 'signed-out'
  readonly text: string
}

/**
 * Null while all is well. A browser without a network may still reach a server on its own machine, so it is offline only when
 * prompts do not get through, or nothing does.
 */
export function connectionNote({
  state,
  problem,
  isOnline,
  phase,
  isRead,
  unsent,
  isSignedOut,
}: ConnectionFacts): ConnectionNote | null {
  if (isSignedOut && state !== 'open') return { kind: 'signed-out', text: signInAgain }
  if (!isOnline && state === 'open' && unsent > 0) return offline(isRead, unsent)
  if (state === 'open') return phase === 'catching-up' ? { kind: 'catching-up', text: 'Catching up…' } : null
  if (!isLost({ state, problem })) return null
  return isOnline
    ? {
        kind: 'unreachable',
        text: `Can’t reach the server — retrying. ${isRead ? lastHeard : 'Nothing has loaded yet.'} ${keptWords(unsent, 'when it’s back')}`,
      }
    : offline(isRead, unsent)
}

const signInAgain =
  'This browser is not signed in. Run “dragoman open” on the server’s machine and open the link it prints. Your unsent messages stay here.'

const lastHeard = 'You’re seeing the last known state.'

const offline = (isRead: boolean, unsent: number): ConnectionNote => ({
  kind: 'offline',
  text: `You’re offline. ${isRead ? lastHeard : 'Nothing has loaded yet — retrying.'} ${keptWords(unsent, 'when you’re back online')}`,
})

function keptWords(unsent: number, when: string): string {
  if (unsent === 0) return `Messages you send now will be delivered ${when}.`
  return unsent === 1 ? `1 message will be sent ${when}.` : `${unsent} messages will be sent ${when}.`
}
