import type { Step } from '../src/agents/scripted/script.ts'
import type { ServerProcess } from './server-process.ts'

/** Calls a server as a program would. */
export interface Caller {
  /** Throws when the server refuses. */
  call<Reply>(method: string, path: string, body?: object): Promise<Reply>
  /** A session whose scripted agent runs these steps at each prompt, by default as fast as it can. */
  createSession(id: string, steps: readonly Step[], pace?: number): Promise<void>
  prompt(session: string, text?: string): Promise<void>
  /** Waits until nothing runs in a session. */
  whenIdle(session: string): Promise<void>
  readonly headers: Readonly<Record<string, string>>
}

/** A caller with the server's token. */
export function createCaller({ url, token }: Pick<ServerProcess, 'url' | 'token'>): Caller {
  const headers = { authorization: `Bearer ${token}` }
  const caller: Caller = {
    headers,
    async call<Reply>(method: string, path: string, body?: object) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}: ${await response.text()}`)
      return (await response.json()) as Reply
    },
    async createSession(id, steps, pace = 0) {
      await caller.call('POST', '/api/sessions', { id, agent: 'scripted', options: { script: steps, pace } })
    },
    async prompt(session, text = 'go') {
      await caller.call('POST', `/api/sessions/${session}/prompts`, { text })
    },
    async whenIdle(session) {
      for (;;) {
        const { status } = await caller.call<{ status: string }>('GET', `/api/sessions/${session}`)
        if (status === 'idle' || status === 'failed') return
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    },
  }
  return caller
}
