import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agoText, bytesText, costText, counted, countText, durationText } from './amounts.ts'
import { columnsOf, padTo, shorten } from './columns.ts'
import { explicit, inert, inertLine } from './inert.ts'
import { jsonLine } from './json-line.ts'
import type { Output } from './output.ts'
import { barText, createProgressBar } from './progress-bar.ts'
import { colourStyle, plainStyle } from './style.ts'
import { tableText } from './table.ts'

describe('the terminal', () => {
  it('[R2] makes any text harmless, and does not change ordinary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), text => {
        // oxlint-disable-next-line no-control-regex -- control characters are what this is about
        expect(inert(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
        expect(inertLine(text)).not.toMatch(/\n/)
      }),
    )
    expect(inert('plain\ttext\nüñ 漢字 👩‍💻')).toBe('plain\ttext\nüñ 漢字 👩‍💻')
    expect(inert('\u001b[0m\u007f\u0085')).toBe('␛[0m␡\\u0085')
  })

  it('[R3] escapes JSON for a terminal without changing its value', () => {
    const active = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/u
    for (const char of [
      '\u009b',
      '\u009d',
      '\u0085',
      '\u007f',
      '\u202e',
      '\u200b',
      '\u2066',
      '\u{e0041}',
      '\ufe0f',
    ]) {
      const line = jsonLine({ text: `a${char}b` })
      expect(line).toMatch(/^[\u0020-\u007e]*\n$/)
      expect(JSON.parse(line)).toEqual({ text: `a${char}b` })
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), text => {
        const line = jsonLine({ [text]: text })
        expect(line).not.toMatch(active)
        expect(JSON.parse(line)).toEqual({ [text]: text })
      }),
    )
    expect(jsonLine('üñ 漢字 👍')).toBe('"üñ 漢字 👍"\n')
  })

  it('[R3] shows invisible characters in approvals', () => {
    expect(explicit('rm\u200b -r \u{e0041}x\u00ad\ufe0f\u3164')).toBe(
      String.raw`rm\u200b -r \u{e0041}x\u00ad\ufe0f\u3164`,
    )
    expect(explicit('\u202e\u001b[0m')).toBe('\\u202e␛[0m')
    expect(explicit('üñ 漢字')).toBe('üñ 漢字')
  })

  it('[O3] measures and cuts by columns', () => {
    expect(columnsOf('漢字ab👍')).toBe(8)
    expect(shorten('漢字abcdef', 6)).toBe('漢字a…')
    expect(shorten('short', 6)).toBe('short')
    expect(padTo('漢', 4)).toBe('漢  ')
  })

  it('[O3] formats amounts for people', () => {
    expect([0, 999, 1200, 3_400_000].map(bytesText)).toEqual(['0 B', '999 B', '1.2 kB', '3.4 MB'])
    expect([400, 12_300, 185_000].map(durationText)).toEqual(['0.4 s', '12 s', '3 min 5 s'])
    expect([950, 12_300, 4_500_000].map(countText)).toEqual(['950', '12.3k', '4.5M'])
    expect([counted(1, 'entry', 'entries'), counted(1234, 'session')]).toEqual(['1 entry', '1,234 sessions'])
    expect([costText(0.00123), costText(12.345)]).toEqual(['$0.0012', '$12.35'])
    const now = 1e12
    expect([1, 61, 7200, 1e6].map(ago => agoText(now - ago * 1000, now))).toEqual([
      'just now',
      '1 min ago',
      '2 h ago',
      '11 d ago',
    ])
  })

  it('[O3] fits a table by shortening one column', () => {
    const columns = [
      { title: 'id', text: ({ id }: Row) => id },
      { title: 'title', text: ({ title }: Row) => title, shrinks: true },
      { title: 'n', text: () => '1' },
    ]
    interface Row {
      readonly id: string
      readonly title: string
    }
    const rows = [
      { id: 'abc', title: 'a rather long title that does not fit' },
      { id: 'd', title: '' },
    ]
    expect(tableText(columns, rows, { style: plainStyle, width: 24 })).toBe(
      'id   title             n\nabc  a rather long t…  1\nd                      1\n',
    )
    expect(tableText(columns, rows, { style: colourStyle, width: 200 })).toContain('that does not fit  1\n')
  })

  it('[O3] shows progress only on a terminal, and removes it', () => {
    const show = (isTerminal: boolean) => {
      let written = ''
      const output = {
        isTerminal,
        columns: 40,
        write: (text: string) => (written += text),
      } as unknown as Output
      let now = 0
      using bar = createProgressBar(output, 'Work', () => (now += 30))
      for (let done = 0; done <= 1; done += 0.25) bar.show(done)
      bar[Symbol.dispose]()
      return written
    }
    expect(show(false)).toBe('')
    expect(show(true).split('\r')).toHaveLength(5)
    expect(show(true).endsWith('\r\u001b[K')).toBe(true)
    expect(barText('Work', 0.5, 24)).toBe('Work ██████░░░░░  50 %')
    expect(barText('Work', 2, 10)).toBe('Work 100 %')
  })
})
