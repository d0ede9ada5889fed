import { expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import { listenToSessions, type SessionsChannel } from './sessions-channel.ts'

const a = 'a' as SessionId
const b = 'b' as SessionId

/** A listener whose list of sessions at work comes when the test says, and whose reader can be full. */
function listen(hasRoom: () => boolean = () => true) {
  const list = Promise.withResolvers<Awaited<ReturnType<SessionsChannel['atWork']>>>()
  let change: Parameters<SessionsChannel['listen']>[0] = () => {}
  let isListening = false
  const sessions: SessionsChannel = {
    listen(take) {
      change = take
      isListening = true
      return () => void (isListening = false)
    },
    atWork: () => list.promise,
  }
  const sent: string[] = []
  const send = (json: string) => {
    sent.push(json)
    return hasRoom()
  }
  const listener = listenToSessions({ streams: { sessions } }, send)
  const failures: unknown[] = []
  listener.start(error => void failures.push(error))
  return {
    listener,
    sent,
    failures,
    change: (session: SessionId, json: string) => change(session, json),
    list: async (...found: (readonly [SessionId, string])[]) => {
      list.resolve(found)
      await list.promise
    },
    refuse: async (error: Error) => {
      list.reject(error)
      await list.promise.catch(() => undefined)
    },
    isListening: () => isListening,
  }
}

it('[C1] a change that comes while the list is read is not overwritten by the older list', async () => {
  const { sent, change, list } = listen()
  change(a, 'a done')
  await list([a, 'a running'], [b, 'b running'])
  expect(sent).toEqual(['a done', 'b running'])
  change(b, 'b done')
  expect(sent).toEqual(['a done', 'b running', 'b done'])
})

it('[R4] a client that was behind gets only the last state of each session', async () => {
  let room = false
  const { listener, sent, change, list } = listen(() => room)
  await list([a, 'a running'])
  change(a, 'a waiting')
  change(b, 'b running')
  change(a, 'a done')
  expect(sent).toEqual(['a running'])
  listener.drained()
  expect(sent).toEqual(['a running', 'a done'])
  room = true
  listener.drained()
  expect(sent).toEqual(['a running', 'a done', 'b running'])
})

it('[C1] a listener that has unsubscribed gets neither the list nor its error', async () => {
  const left = listen()
  left.listener[Symbol.dispose]()
  await left.list([a, 'a running'])
  expect(left.sent).toEqual([])
  expect(left.isListening()).toBe(false)
  const stays = listen()
  await stays.refuse(new Error('no list'))
  expect(stays.failures).toEqual([new Error('no list')])
  const gone = listen()
  gone.listener[Symbol.dispose]()
  await gone.refuse(new Error('no list'))
  expect(gone.failures).toEqual([])
})
