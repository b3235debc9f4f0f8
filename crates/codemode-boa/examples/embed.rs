//! Boa alone in a host: one tool, one program, one outcome.

use std::sync::Arc;
use std::time::Duration;

use codemode_boa::Boa;
use codemode_core::{Annotations, Answer, Budgets, Call, CallContext, Catalog, FnHost, Json, Profile, RunRequest, Runner, ToolSpec};

/// What a model would write.
const PROGRAM: &str = r#"
const cities: string[] = ["Oslo", "Lima", "Pune"];
const answers = await Promise.allSettled(cities.map((city) => tools.temperature({ city })));
let total = 0;
answers.forEach((answer, place) => {
  if (answer.status === "fulfilled") {
    total += Number(answer.value);
    console.log(cities[place], answer.value);
  } else {
    console.log(cities[place], answer.reason.message);
  }
});
return { total };
"#;

async fn temperature(_context: CallContext, call: Call) -> Answer {
    match call.arguments.tree()["city"].as_str() {
        Some("Oslo") => Answer::text("4"),
        Some("Lima") => Answer::text("19"),
        Some(city) => Answer::failed(format!("no station in {city}")),
        None => Answer::failed("which city?"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = Json::parse(r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#)?;
    let tool = ToolSpec::new("temperature")
        .with_description("the temperature in a city, in degrees")
        .with_input_schema(schema)
        .with_annotations(Annotations::read_only());
    let host = FnHost::new(Catalog::new([tool])?, temperature);
    let profile = Profile::program();
    let budgets = Budgets { compute: Duration::from_secs(5), memory_bytes: 32 << 20, ..profile.budgets };
    let runner = Runner::builder(Arc::new(Boa::unbounded_in_thread()), profile.with_budgets(budgets), Arc::new(host)).build()?;

    let outcome = runner.run(RunRequest::new(PROGRAM)).await?;
    #[expect(clippy::print_stdout, reason = "an example shows its result")]
    {
        println!("{}", outcome.to_text("run_code"));
    }
    Ok(())
}
