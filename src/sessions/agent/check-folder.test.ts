import { expect, it } from 'vitest'
import { DragomanError } from '../../protocol/error.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

const sentence = 'The folder /out is not in an allowed root.'

it('[R2] the folder of a session is checked when it is created and whenever an interaction starts', async () => {
  const puppet = createPuppet()
  const folders: string[] = []
  let isSwapped = false
  const house = await openHouse(
    [
      {
        ...puppet,
        connect: options => {
          folders.push(options.cwd)
          return puppet.connect(options)
        },
      },
    ],
    {
      checkFolder: async cwd => {
        if (isSwapped || cwd === '/out') throw new DragomanError('folder-not-allowed', sentence)
        return cwd.replace('/link', '/real')
      },
    },
  )
  await using sessions = house.sessions
  const create = (cwd: string) => sessions.execute({ type: 'create', agent: 'puppet', cwd })
  await expect(create('/out')).rejects.toMatchObject({ code: 'folder-not-allowed' })
  expect((await sessions.list({ limit: 9 })).sessions).toEqual([])
  const { session } = await create('/link')
  expect((await sessions.get(session)).cwd).toBe('/real')
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  expect(folders).toEqual(['/real'])

  isSwapped = true
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'interaction-ended')).toMatchObject([
    { outcome: 'finished' },
    { outcome: 'failed', reason: sentence },
  ])
  expect(puppet.prompts).toHaveLength(1)
  expect((await sessions.get(session)).status).toBe('failed')
})

it('[R2] an agent works in the folder that its path leads to when it is started', async () => {
  const folders: string[] = []
  const puppet = createPuppet({ onConnect: ({ options }) => void folders.push(options.cwd) })
  const house = await openHouse([puppet])
  const { session } = await house.sessions.execute({ type: 'create', agent: 'puppet', cwd: '/link' })
  await house.sessions[Symbol.asyncDispose]()
  const later = await house.reopen({ checkFolder: async cwd => cwd.replace('/link', '/real') })
  await using sessions = later.sessions
  await later.prompt(session, 'go')
  await sessions.whenIdle(session)
  expect(folders).toEqual(['/real'])
})
