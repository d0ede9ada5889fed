import type { Readable, Session } from 'dragoman/client'

interface Settable<Value> extends Readable<Value> {
  set(value: Value): void
}

function settable<Value>(first: Value): Settable<Value> {
  const runs = new Set<(value: Value) => void>()
  let value = first
  return {
    get: () => value,
    set(next) {
      value = next
      for (const run of runs) run(next)
    },
    subscribe(run) {
      runs.add(run)
      run(value)
      return () => runs.delete(run)
    },
  }
}

const facts = {
  options: null,
  model: null,
  agent: 'scripted',
  cwd: '/w',
  title: 'A title',
  archived: false,
  deleted: false,
}

/** A fake session: the test sets its state, and it records the calls. */
export function fakeSession(id = 's') {
  const asked: unknown[][] = []
  const shown = {
    state: settable({ phase: 'live' }),
    facts: settable(facts),
    messages: settable([]),
    status: settable({ status: 'idle', running: null, ended: null, pending: [] }),
    events: settable([]),
    queue: settable([]),
    outbox: settable([]),
    approvals: settable([]),
    pendingApprovals: settable([]),
    rules: settable([]),
  } as const
  const answers = new Map<string, Error>()
  const keep =
    (name: string, reply: object = {}) =>
    async (...given: readonly unknown[]) => {
      asked.push([name, ...given])
      const error = answers.get(name)
      if (error !== undefined) throw error
      return reply
    }
  const session = {
    id,
    ...shown,
    prompt: (...given: readonly unknown[]) => asked.push(['prompt', ...given]),
    interrupt: keep('interrupt', { saved: true }),
    answer: keep('answer'),
    revokeRule: keep('revokeRule'),
    withdraw: keep('withdraw'),
    continue: keep('continue'),
    archive: keep('archive'),
    undelete: keep('undelete'),
  } as unknown as Session
  return {
    session,
    asked,
    /** Makes the calls of that name fail. */
    refuse: (name: string, error: Error) => answers.set(name, error),
    set: (name: keyof typeof shown, value: unknown) => (shown[name] as Settable<unknown>).set(value),
    facts,
  }
}
