// @vitest-environment jsdom
import type { Client } from 'dragoman/client'
import { expect, it, vi } from 'vitest'
import { startDemo } from './start-demo.ts'

it('[W1] the demo starts at once, without another click', async () => {
  const call = vi.fn(() => Promise.resolve({}))
  const createSession = () => Promise.resolve({ id: 'demo-1' })
  await startDemo({ createSession, call } as unknown as Client)
  expect(window.location.pathname).toBe('/s/demo-1')
  expect(call).toHaveBeenCalledExactlyOnceWith('prompt', {
    params: { session: 'demo-1' },
    body: { text: 'Show me the demo' },
  })
})
