import { Info } from 'luxon';
import { own } from '../domain/own.ts';
import { fractionDigits } from '../domain/pricing/currency.ts';
import type { AreaRideType, Geography, PrimeTimeHours, RegionalCharge, ServiceArea } from '../domain/service-area.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { PATHS } from '../links.ts';
import { type Html, html, NOTHING, type Page, section } from './page.ts';

export function pricingPage(area: ServiceArea, geography: Geography): Page {
  const cards = area.rideTypes.map((offered) => card(offered, area, geography));
  return {
    title: `Prices in ${area.name}`,
    lead: html`All amounts are in ${area.currency}. The fare is the base charge plus distance and time, but at least the minimum.
      The Trust &amp; Service fee and any taxes and surcharges are added to it.`,
    body: html`
      ${section('ride-types', 'Ride types', html`<div class="cards">${cards}</div>`)}
      ${primeTime(area)}
      ${regionalCharges(area)}
      ${canceling(area)}
      ${dropOffs(area)}`,
  };
}

function card(
  { rideType, prices, onlyInZone }: AreaRideType,
  { currency, zones }: ServiceArea,
  geography: Geography,
): Html {
  const info = geography.rideTypes.get(rideType);
  const zone = onlyInZone === undefined ? undefined : own(zones, onlyInZone);
  const rows: ReadonlyArray<readonly [string, number]> = [
    ['Base charge', prices.baseCharge],
    ['Per mile', prices.costPerMile],
    ['Per minute', prices.costPerMinute],
    ['Minimum', prices.costMinimum],
    ['Trust & Service fee', prices.trustAndService],
    ['Cancellation fee', prices.cancelPenalty],
  ];
  return html`
    <article>
      <div class="kind">
        <img src="${PATHS.car(rideType)}" alt="" width="112" height="56">
        <div>
          <h3>${info?.displayName ?? rideType}</h3>
          <p class="quiet"><code>${rideType}</code>${info ? html`<br>${info.seats} seats${info.shared ? ', shared' : ''}` : NOTHING}</p>
        </div>
      </div>
      <dl>${rows.map(([name, amount]) => html`<div><dt>${name}</dt><dd>${formatMoney(amount, currency)}</dd></div>`)}</dl>
      ${zone === undefined ? NOTHING : html`<p class="quiet">Only for pickups in ${zone.name}.</p>`}
    </article>`;
}

function primeTime(area: ServiceArea): Html {
  if (area.primeTime.length === 0) return NOTHING;
  const rows = area.primeTime.map(
    (hours) =>
      html`<tr><td>${daysInWords(hours)}</td><td>${clock(hours.fromHour)} to ${clock(hours.toHour)}</td><td>+${hours.percent}%</td></tr>`,
  );
  const body = html`<p>When demand is high, the fare increases. Fees and taxes are added afterwards. Times are local (${area.timeZone}).</p>
      <table class="hours">
        <thead><tr><th scope="col">Days</th><th scope="col">Hours</th><th scope="col">Fare</th></tr></thead>
        <tbody>${rows}</tbody>
      </table>`;
  return section('prime-time', 'Prime Time', body);
}

function regionalCharges({ regionalCharges: charges, currency }: ServiceArea): Html {
  if (charges.length === 0) return NOTHING;
  const rows = charges.map(
    (charge) => html`<div><dt>${charge.name}</dt><dd>${chargeInWords(charge, currency)}</dd></div>`,
  );
  return section('taxes', 'Taxes and surcharges', html`<dl class="amounts">${rows}</dl>`);
}

function chargeInWords(charge: RegionalCharge, currency: string): string {
  return 'flat' in charge ? formatMoney(charge.flat, currency) : `${charge.percent}%`;
}

function canceling({ cancelGraceSeconds }: ServiceArea): Html {
  const minutes = Math.round(((cancelGraceSeconds * SECOND_MS) / MINUTE_MS) * 10) / 10;
  const body = html`<p>You can cancel for free until ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} after a driver accepts. After that, you pay the ride
      type’s cancellation fee. After pickup, you pay the fare so far if that is higher.</p>`;
  return section('canceling', 'Cancellation', body);
}

function dropOffs({ prohibitedDropOffs }: ServiceArea): Html {
  if (prohibitedDropOffs.length === 0) return NOTHING;
  const places = prohibitedDropOffs.map(({ name, message }) => html`<li><strong>${name}.</strong> ${message}</li>`);
  return section('drop-offs', 'Restricted drop-offs', html`<ul>${places}</ul>`);
}

/** A Prime Time's days in words, such as `Monday to Friday` or `Friday and Saturday`. */
function daysInWords({ days }: PrimeTimeHours): string {
  // created here, not at module level, because a locale loads slowly
  const dayNames = Info.weekdays('long', { locale: 'en' });
  const names = days.map((day) => dayNames[day - 1]!);
  const isRow = days.every((day, i) => i === 0 || day === days[i - 1]! + 1);
  return isRow && names.length > 2 ? `${names[0]} to ${names.at(-1)}` : new Intl.ListFormat('en').format(names);
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/**
 * A formatted amount, such as `$2.20`.
 * @param amount minor units
 * @param currency ISO 4217
 */
function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** fractionDigits(currency));
}
