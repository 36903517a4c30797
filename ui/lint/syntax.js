/**
 * Patterns that never belong in the source, as selectors for `no-restricted-syntax`.
 */

const noHtml = 'Markup is built as elements: no text may become HTML.';

/** Every way a string could turn into markup that runs. */
export const rawHtml = [
  { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: noHtml },
  { selector: 'Property[key.name="dangerouslySetInnerHTML"]', message: noHtml },
  {
    selector:
      'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe)$/]',
    message: noHtml,
  },
];

/** Calls of Rust or the desktop whose failure nobody handles. */
export const unhandledCommands = [
  {
    selector:
      'UnaryExpression[operator="void"] > CallExpression[callee.object.name=/^(commands|desktop)$/]',
    message: 'What was asked may fail: say so with useAttempting().',
  },
];

const inWords = 'Words that are shown live in src/i18n: use useText().';
const shownAttributes =
  '/^(aria-label|aria-description|aria-placeholder|aria-valuetext|aria-roledescription|title|placeholder|alt|label|hint|description)$/';

/** Words in JSX that a translator would never see. */
export const literalWords = [
  { selector: 'JSXText[value=/\\p{L}/u]', message: inWords },
  { selector: 'JSXElement > JSXExpressionContainer > Literal[value=/\\p{L}/u]', message: inWords },
  {
    selector:
      'JSXElement > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}/u]',
    message: inWords,
  },
  {
    selector: `JSXAttribute[name.name=${shownAttributes}] > Literal[value=/\\p{L}/u]`,
    message: inWords,
  },
  {
    selector: `JSXAttribute[name.name=${shownAttributes}] TemplateElement[value.raw=/\\p{L}/u]`,
    message: inWords,
  },
];
