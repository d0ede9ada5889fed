import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDataUrl } from './data-url.ts'

it('[P8] a data URL is read with any parameters and any encoding', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('', ';charset=utf-8', ';name=a.png', ';name=a;x=y'),
      (bytes, parameters) => {
        const data = Buffer.from(bytes).toString('base64')
        const percent = [...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
        const expected = { mediaType: 'image/png', data }
        expect(parseDataUrl(`data:image/png${parameters};base64,${data}`)).toEqual(expected)
        expect(parseDataUrl(`data:image/png${parameters};BASE64,${encodeURIComponent(data)}`)).toEqual(
          expected,
        )
        expect(parseDataUrl(`data:image/png${parameters},${percent}`)).toEqual(expected)
      },
    ),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const data = Buffer.from(text).toString('base64')
      expect(parseDataUrl(`data:,${encodeURIComponent(text)}`)).toEqual({ mediaType: '', data })
    }),
  )
  for (const other of ['https://a.b/c', 'data:image/png', 'data:image/png;base64,?', ''])
    expect(parseDataUrl(other)).toBeNull()
})
