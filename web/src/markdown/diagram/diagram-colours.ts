import { colourOf, type Theme } from '../../ui/theme.ts'

/** The colours of the page for the parts of a diagram. */
export const diagramColours = (theme: Theme): Readonly<Record<string, string | boolean>> => ({
  darkMode: theme === 'dark',
  background: colourOf('--paper-raised'),
  primaryColor: colourOf('--accent-wash'),
  primaryTextColor: colourOf('--ink'),
  primaryBorderColor: colourOf('--accent'),
  secondaryColor: colourOf('--good-wash'),
  secondaryTextColor: colourOf('--ink'),
  secondaryBorderColor: colourOf('--good'),
  tertiaryColor: colourOf('--paper-sunken'),
  tertiaryTextColor: colourOf('--ink'),
  tertiaryBorderColor: colourOf('--line-strong'),
  lineColor: colourOf('--ink-soft'),
  textColor: colourOf('--ink'),
  edgeLabelBackground: colourOf('--paper-raised'),
  noteBkgColor: colourOf('--warn-wash'),
  noteTextColor: colourOf('--ink'),
  noteBorderColor: colourOf('--warn'),
  dropShadow: 'none',
  useGradient: false,
  fontSize: '14px',
})
