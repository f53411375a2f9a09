// Amounts: exact amounts in units of 10⁻⁸ dollar, as BigInt. Laws: never a floating-point number.
// The page shows whole cents, cut and never rounded up. The other digits are in the page too, and
// are visible with "Exact" and on paper.
import { element, span } from "./element.js";
import { number_text } from "./words.js";

const DECIMALS = 8;
const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,8}))?$/;

// "12.34" -> 1234000000n; null if the text is not an amount.
export function units(text) {
  const parts = AMOUNT.exec(text ?? "");
  if (parts === null) return null;
  const whole = BigInt(parts[2] + (parts[3] ?? "").padEnd(DECIMALS, "0"));
  return parts[1] === "-" ? -whole : whole;
}

// A missing amount counts as zero.
export const units_or_zero = (text) => units(text) ?? 0n;
export const is_zero = (text) => units_or_zero(text) === 0n;
export const sum_of = (texts) => texts.reduce((sum, text) => sum + units_or_zero(text), 0n);

// ["−", "$50,000.90", "140000"]
function parts_of(whole) {
  const digits = String(whole < 0n ? -whole : whole).padStart(DECIMALS + 1, "0");
  const left = digits.slice(0, -DECIMALS);
  const right = digits.slice(-DECIMALS);
  return [whole < 0n ? "−" : "", `$${number_text(left)}.${right.slice(0, 2)}`, right.slice(2)];
}

// Dollars and cents, with the finer digits beside them unless the amount has none.
export function exact(whole, { has_fine = true } = {}) {
  const [sign, dollars, fine] = parts_of(whole);
  return span("amount", sign + dollars, has_fine ? span("fine", fine) : null);
}

// Handle comes in cents, a meter with eight decimals.
export const has_fine = (text) => !/^-?\d+\.\d{2}$/.test(text ?? "");

// For a sentence: without zeros at the end.
export function exact_text(whole) {
  const [sign, dollars, fine] = parts_of(whole);
  return sign + dollars + fine.replace(/0+$/, "");
}

export const cut_text = (whole) => parts_of(whole).slice(0, 2).join("");

// The amount of a cell; a quiet dash for zero or for no amount.
export function amount_or_dash(text) {
  const whole = units(text);
  if (whole === null) return span("quiet", text ? String(text) : "–");
  return whole === 0n ? zero() : exact(whole, { has_fine: has_fine(text) });
}

// A difference of units: "none", or the amount, which stands out.
export const difference = (left) =>
  left === 0n ? span("quiet", "none") : element("strong", { class: "bad" }, exact_text(left));

export const zero = () =>
  span("nothing", element("span", { "aria-hidden": "true" }, "–"), span("unseen", "$0.00"));

// 1234n of 10000n -> "12.34%", cut; a dash if the whole is zero.
export function percent(part, whole) {
  if (whole === 0n) return "–";
  const hundredths = (part * 10_000n) / whole;
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, "0");
  return `${hundredths < 0n ? "−" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}
