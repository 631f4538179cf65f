import type { SampleCall } from './call.ts';
import { JSON_TEXT, literal } from './literal.ts';

/** What a sample sends, for languages in which text is simpler than the fields of a query or a body. */
interface Sent {
  readonly url: string;
  readonly type: string;
  /** A call without a body has an empty text. */
  readonly body: string;
}

function sentBy({ url, query, body, isForm }: SampleCall): Sent {
  const asked = encoded(query);
  return {
    url: asked === '' ? url : `${url}?${asked}`,
    type: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    body: body === undefined ? '' : isForm ? encoded(body as SampleCall['query']) : literal(body, JSON_TEXT, '', WIDE),
  };
}

/** Writes each field of a body in its own line. */
const WIDE = 80;

/** A text in one line or several. @param inLines how the language writes the latter */
function text(body: string, inLines: string): string {
  return body.includes('\n') ? inLines : JSON.stringify(body);
}

function encoded(fields: SampleCall['query']): string {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]);
  return String(new URLSearchParams(texts));
}

/** Makes the call with Go's standard library. Prints the status and the response. */
export function goSample(call: SampleCall): string {
  const { url, type, body } = sentBy(call);
  const [reader, imports] =
    body === '' ? ['nil', []] : [`strings.NewReader(${text(body, `\`${body}\``)})`, ['strings']];
  const authorize =
    call.credentials === 'basic'
      ? 'request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))'
      : 'request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))';
  return `package main

import (
${['fmt', 'io', 'log', 'net/http', 'os', ...imports].map((name) => `\t"${name}"`).join('\n')}
)

func main() {
	request, err := http.NewRequest("${call.method}", "${url}", ${reader})
	if err != nil {
		log.Fatal(err)
	}
	${authorize}${body === '' ? '' : `\n\trequest.Header.Set("Content-Type", "${type}")`}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(body))
}`;
}

/** Makes the call with Java's standard library. Prints the status and the response. */
export function javaSample(call: SampleCall): string {
  const { url, type, body } = sentBy(call);
  const isBasic = call.credentials === 'basic';
  const authorization = isBasic ? '"Basic " + credentials' : '"Bearer " + System.getenv("TOKEN")';
  const publisher = body === '' ? 'noBody()' : `ofString(${text(body, `"""\n${body.replaceAll('\\', '\\\\')}"""`)})`;
  const setUp = `        var pair = System.getenv("CLIENT_ID") + ":" + System.getenv("CLIENT_SECRET");
        var credentials = Base64.getEncoder().encodeToString(pair.getBytes());\n`;
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
${isBasic ? 'import java.util.Base64;\n' : ''}
public class ${call.operationId[0]!.toUpperCase()}${call.operationId.slice(1)} {
    public static void main(String[] args) throws Exception {
${isBasic ? setUp : ''}        var request = HttpRequest.newBuilder(URI.create("${url}"))
            .header("Authorization", ${authorization})
${body === '' ? '' : `            .header("Content-Type", "${type}")\n`}            .method("${call.method}", BodyPublishers.${publisher})
            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}`;
}

/** Makes the call with the crate reqwest and its feature `blocking`. Prints the status and the response. */
export function rustSample(call: SampleCall): string {
  const { url, type, body } = sentBy(call);
  const authorize =
    call.credentials === 'basic'
      ? '.basic_auth(variable("CLIENT_ID"), Some(variable("CLIENT_SECRET")))'
      : '.bearer_auth(variable("TOKEN"))';
  return `// cargo new example && cd example && cargo add reqwest --features blocking
fn variable(name: &str) -> String {
    std::env::var(name).expect(name)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let response = reqwest::blocking::Client::new()
        .${call.method.toLowerCase()}("${url}")
        ${authorize}
${body === '' ? '' : `        .header("Content-Type", "${type}")\n        .body(${text(body, `r#"${body}"#`)})\n`}        .send()?;
    println!("{} {}", response.status(), response.text()?);
    Ok(())
}`;
}
