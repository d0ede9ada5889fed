import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { find, findModel } from './find.ts'
import { modelAgent, modelPresets } from './index.ts'
import { findKey, withoutKey } from './keys.ts'
import { pricesOf } from './prices.ts'
import { readSettings } from './settings.ts'
import { newFolder } from './harness.fixture.ts'

describe('the settings of a model', () => {
  it('[O4] are refused with a message that says what to do', () => {
    expect(() => readSettings({})).toThrow(
      'Set the option "provider": anthropic, openai, google, openai-compatible.',
    )
    expect(() => readSettings({ provider: 'openai-compatible' })).toThrow('"baseUrl"')
    expect(() => readSettings({ provider: 'openai-compatible', baseUrl: 'http://h/v1' })).toThrow('"model"')
    expect(() => readSettings({ provider: 'openai', baseUrl: 'ftp://h' })).toThrow('http or https')
    expect(() => readSettings({ provider: 'openai', stepz: 1 })).toThrow('There is no option "stepz"')
    const wrong = [
      [
        { provider: 'nope' },
        '"provider" must be one of "anthropic", "openai", "google", "openai-compatible".',
      ],
      [{ steps: 0 }, '"steps" must be more than 0.'],
      [{ steps: 0.5 }, '"steps" must be a whole number.'],
      [{ retries: -1 }, '"retries" must be at least 0.'],
      [{ model: '' }, '"model" must not be empty.'],
      [{ model: 5 }, '"model" must be a string.'],
      [{ pictures: 'yes' }, '"pictures" must be true or false.'],
      [{ allow: 'run' }, '"allow" must be a list.'],
      [{ keyName: 'a b' }, '"keyName" must be the name of an environment variable.'],
      [{ prices: { input: 'x' } }, '"prices.input" must be a number.'],
    ] as const
    for (const [options, message] of wrong)
      expect(() => readSettings({ provider: 'openai', ...options })).toThrow(message)
    expect(() => readSettings(['openai'])).toThrow('The options object of a model must be an object.')
  })

  it('[R3] have no field for a key, since they are stored', () => {
    for (const name of ['apiKey', 'api_key', 'key', 'token', 'headers'])
      expect(() => readSettings({ provider: 'openai', [name]: 'sk-x' })).toThrow('Don’t put an API key in')
    expect(() => readSettings({ provider: 'openai', baseUrl: 'https://me:secret@h/v1' })).toThrow(
      'must not contain a user name, password',
    )
    expect(() => readSettings({ provider: 'openai', baseUrl: 'https://h/v1?key=1' })).toThrow(
      'must not contain a user name, password',
    )
  })

  it('[R3] a key comes from the environment, or from a file that only its owner may read', async () => {
    const path = join(await newFolder(), 'key')
    const place = { provider: 'openai', keyName: 'K', keyFile: null } as const
    expect(await findKey(place, { K: ' abc ' })).toEqual({ type: 'key', key: 'abc', from: 'K' })
    expect(await findKey(place, {})).toMatchObject({
      type: 'missing',
      advice: expect.stringContaining('K') as string,
    })
    const filed = { ...place, keyFile: path }
    expect(await findKey(filed)).toMatchObject({
      type: 'missing',
      advice: expect.stringContaining('ENOENT') as string,
    })
    await writeFile(path, 'abc\n')
    await chmod(path, 0o644)
    expect(await findKey(filed)).toMatchObject({ advice: expect.stringContaining('chmod 600') as string })
    await chmod(path, 0o600)
    expect(await findKey(filed)).toEqual({ type: 'key', key: 'abc', from: path })
    await writeFile(path, 'two words')
    expect(await findKey(filed)).toMatchObject({ type: 'missing' })
  })

  it('[R3] what services show of a key is removed, too', () => {
    expect(withoutKey('Incorrect API key provided: sk-proj-********wxyz. Go.', null)).toBe(
      'Incorrect API key provided: [key]. Go.',
    )
    expect(withoutKey('the key abcd1234', 'abcd1234')).toBe('the key [key]')
  })

  it('[A12] reports whether there is an API key, and how to set one', async () => {
    const settings = readSettings({ provider: 'anthropic' })
    expect(await findModel(settings, { ANTHROPIC_API_KEY: 'x' })).toEqual({
      status: 'ready',
      version: 'claude-sonnet-5',
      isLoggedIn: true,
      advice: null,
    })
    expect(await findModel(settings, {})).toMatchObject({
      status: 'needs-login',
      lacks: 'key',
      advice: expect.stringContaining('ANTHROPIC_API_KEY') as string,
    })
    expect(await find({})).toMatchObject({ status: 'needs-login', lacks: 'key' })
    expect(await find({ OPENAI_API_KEY: 'x' })).toMatchObject({
      status: 'ready',
      advice: expect.stringContaining('openai') as string,
    })
    expect(modelPresets.map(({ name }) => name)).toEqual(['anthropic', 'openai', 'google'])
  })

  it('[A9] a configured model has its own name, and options of a session are added to it', async () => {
    const configured = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', model: 'small' }
    const agent = modelAgent('my-local', configured)
    expect(agent.title).toBe('small (The service at http://127.0.0.1:9/v1)')
    expect(await agent.find()).toMatchObject({ status: 'ready', version: 'small' })
    await agent.check?.({ options: { model: 'large' }, cwd: '/', dataFolder: '/nowhere' })
    await expect(async () =>
      agent.check?.({ options: { apiKey: 'x' }, cwd: '/', dataFolder: '/nowhere' }),
    ).rejects.toThrow('API key')
    for (const name of ['baseUrl', 'keyName', 'keyFile', 'provider'])
      await expect(async () =>
        agent.check?.({ options: { [name]: 'x' }, cwd: '/', dataFolder: '/nowhere' }),
      ).rejects.toThrow('cannot be changed for a session')
    expect(() => modelAgent('bad', { provider: 'nobody' })).toThrow('"provider"')
  })

  it('[J10] a negative price is refused', () => {
    expect(() => readSettings({ provider: 'openai', prices: { input: -1 } })).toThrow('prices')
    expect(readSettings({ provider: 'openai', prices: { input: 0 } }).prices?.input).toBe(0)
  })

  it('[J10] prices are those of the longest matching name, and none where none is known', () => {
    expect(pricesOf('claude-sonnet-4-5-20250929')?.input).toBe(3)
    expect(pricesOf('claude-opus-4-5')?.input).toBe(5)
    expect(pricesOf('gpt-5-mini')?.input).toBe(0.25)
    expect(pricesOf('gpt-5-2025-08-07')?.output).toBe(10)
    expect(pricesOf('gpt-5-pro')).toBeNull()
    expect(pricesOf('llama3')).toBeNull()
  })
})
