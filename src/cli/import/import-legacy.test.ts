import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../process.fixture.ts'
import { runHere } from '../shell.fixture.ts'

describe('dragoman import --legacy', () => {
  it('[X9] creates one session from an array, also when it is imported again', async () => {
    const data = newFolder()
    const file = join(data, '..', `${data.split('/').at(-1)}.json`)
    const messages = [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'weather', arguments: '{"in":"Ulm"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'Rain.' },
      { role: 'assistant', content: 'It rains.' },
    ]
    writeFileSync(file, JSON.stringify({ model: 'm', messages }))
    const run = (...args: readonly string[]) => runHere([...args, '--data', data])
    const { code, out, err } = await run('import', '--legacy', file, '--json')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const made = JSON.parse(out) as { readonly session: string }
    expect(made).toMatchObject({ format: 'openai-chat', outcome: 'new', messages: 4 })
    expect((await run('import', '--legacy', file)).out).toBe(
      `Already imported: session ${made.session}: 4 messages (openai-chat)\n`,
    )
    const tail = (await run('tail', made.session)).out
    expect(tail).toContain('Weather?')
    expect(tail).toContain('It rains.')
    expect((await run('rebuild', made.session)).code).toBe(0)
    writeFileSync(file, '{"words":1}')
    expect(await run('import', '--legacy', file)).toMatchObject({ code: 2 })
    writeFileSync(file, 'words')
    expect(await run('import', '--legacy', file)).toMatchObject({ code: 2 })
    expect(await run('import', '--legacy', file, '--format', 'latin')).toMatchObject({ code: 2 })
  })
})
