// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import type { Client } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { DragomanProvider } from 'dragoman/react'
import { render, wait } from '../composer/render.fixture.tsx'
import { useFetched, type Fetched } from './use-fetched.ts'

/** A page with two components that load the same data, from a server that can fail. */
async function open() {
  const server = { loads: 0, isBroken: false }
  const load = async () => {
    server.loads += 1
    if (server.isBroken) throw new Error('Can’t reach the server.')
    return server.loads
  }
  const connection = createWritable({ state: 'open' })
  const client = { connection } as unknown as Client
  const newest: { fetched: Fetched<number> | null } = { fetched: null }
  function Probe() {
    newest.fetched = useFetched(['probe'], load)
    return null
  }
  const page = (
    <DragomanProvider client={client}>
      <Probe />
      <Probe />
    </DragomanProvider>
  )
  await render(page)
  const fail = async () => {
    server.isBroken = true
    act(() => newest.fetched?.again())
    await wait(10)
  }
  return { server, connection, fail, read: () => newest.fetched as Fetched<number> }
}

it('[W7] components with the same key share one request', async () => {
  const { server, read } = await open()
  // Strict mode mounts them twice, and unmounting aborts the first request.
  expect(server.loads).toBe(2)
  expect(read()).toMatchObject({ data: 2, problem: null, isLoading: false })
})

it('[W7] a failed load keeps the data, and its problem until a load succeeds', async () => {
  const { server, read, fail } = await open()
  await fail()
  expect(read()).toMatchObject({ data: 2, problem: 'Can’t reach the server.' })
  server.isBroken = false
  act(() => read().again())
  expect(read().problem).toBe('Can’t reach the server.')
  await wait(10)
  expect(read()).toMatchObject({ data: 4, problem: null })
})

it('[W7] a failed load is tried again when the server can be reached again, and not before', async () => {
  const { server, connection, read, fail } = await open()
  await fail()
  await wait(60_000)
  expect(server.loads).toBe(3)
  server.isBroken = false
  connection.set({ state: 'waiting' })
  connection.set({ state: 'open' })
  await wait(10)
  expect(read()).toMatchObject({ data: 4, problem: null })
  connection.set({ state: 'waiting' })
  connection.set({ state: 'open' })
  await wait(10)
  expect(server.loads).toBe(4)
})
