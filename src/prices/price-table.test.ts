import { readFileSync } from 'node:fs'
import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it, vi } from 'vitest'
import { openPriceTable, tableDate, tableVersion } from './price-table.ts'

const september = Date.parse('2026-09-20T12:00:00Z')
const table = await openPriceTable()

describe('the price table', () => {
  it('[W8] has the date of the installed version', () => {
    const file = new URL('../../node_modules/@pydantic/genai-prices/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
    expect(version, 'Set tableVersion, and tableDate to the day of its publication: npm view … time').toBe(
      tableVersion,
    )
    expect(table.date).toBe(tableDate)
  })

  it('[W8] makes no request', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const fresh = await openPriceTable()
    fresh.ratesOf('claude-opus-4-5', september, 0)
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it.each([
    'claude-opus-4-5-20251101',
    'claude-opus-4-6',
    'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5-20251001',
    'gpt-5.2-codex',
    'gpt-5.4',
    'gemini-2.5-pro',
    'gemini-3-pro-preview',
    'deepseek-chat',
  ])('[W8] %s costs what the table says, for short and long requests and for each part of a cache', model => {
    for (const at of [september, Date.parse('2026-01-05T20:00:00Z')])
      for (const context of [1000, 199_999, 200_000, 200_001, 271_999, 272_000, 900_000]) {
        const [read, hour, write] = [context * 0.5, context * 0.1, context * 0.3].map(Math.trunc) as [
          number,
          number,
          number,
        ]
        const usage = {
          input_tokens: context,
          output_tokens: 777,
          cache_read_tokens: read,
          cache_write_tokens: write,
          cache_write_1h_tokens: hour,
        }
        const expected = calcPrice(usage, model, { timestamp: new Date(at) })?.total_price
        const rates = table.ratesOf(model, at, context)
        if (rates === null) throw new Error(`${model} has no price.`)
        const sum =
          (context - read - write) * rates.input +
          777 * rates.output +
          read * rates.cacheRead +
          (write - hour) * rates.cacheWrite +
          hour * rates.cacheWriteHour
        expect(sum / 1e6).toBeCloseTo(expected ?? Number.NaN, 9)
      }
  })

  it('[W8] names the cuts at which prices change, and prices on both sides of a cut differ', () => {
    const { contexts, moments, daytimes } = table.cutsOf([
      'claude-opus-4-6',
      'deepseek-chat',
      'no-such-model',
    ])
    expect(contexts).toEqual([200_000])
    expect(moments).toEqual([Date.parse('2026-03-13T00:00:00Z')])
    expect(daytimes).toEqual([30, 16.5 * 60].map(minutes => minutes * 60_000))
    const [moment = 0] = moments
    expect(table.ratesOf('claude-opus-4-6', moment - 1, 300_000)?.input).toBe(10)
    expect(table.ratesOf('claude-opus-4-6', moment, 300_000)?.input).toBe(5)
    expect(table.cutsOf([])).toEqual({ contexts: [], moments: [], daytimes: [] })
  })

  it('[W8] finds models by the names that agents give them', () => {
    const input = (model: string) => table.ratesOf(model, september, 0)?.input ?? null
    expect(input('claude-opus-4-5')).toBe(5)
    expect(input('Claude-Opus-4-5')).toBe(5)
    expect(input('claude-opus-4-6[1m]')).toBe(5)
    expect(input('anthropic/claude-opus-4-5')).toBe(5)
    expect(input('openrouter/anthropic/claude-sonnet-4.5')).toBe(3)
    expect(input('amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(3.3)
    expect(input('my-proxy/gpt-5.2-codex')).toBe(1.75)
  })

  it('[W8] has no price for unknown models and for models on this machine', () => {
    for (const model of [
      '',
      'haiku',
      'gpt-99',
      'claude-opus-99',
      'llama3',
      'deepseek-r1:8b',
      'ollama/qwen3:30b',
    ])
      expect(table.ratesOf(model, september, 0), model).toBeNull()
  })
})
