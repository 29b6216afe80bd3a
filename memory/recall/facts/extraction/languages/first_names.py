"""First names that are often given, for who types their own without a capital: "i'm tom".

None is what somebody can be, as in "i'm frank" or "i'm happy": a word alone behind "i'm" is one of
these or no name.
"""

FIRST_NAMES = frozenset(
    """
    aaron abby abdul abdullah abigail adam adele adrian adriana agnes ahmad ahmed aidan aileen aisha
    akira alan alba albert alberto alejandra alejandro aleksandra alessandro alex alexander
    alexandra alexandre alexis alfonso alfred ali alice alicia alina alison allison alvaro álvaro
    amanda amber amelia amelie amir amina amit amy ana anastasia anders andré andre andrea andreas
    andrei andres andrés andrew andrzej andy angela angelika anita anja ann anna anne annette annika
    anthony antoine anton antonia antonio arjun arthur arturo asha ashley astrid audrey aurora
    axel ayse barbara bart bartek beatrice beatriz ben benedikt benjamin bernard bernd beth bettina
    bianca bill birgit björn bob bogdan boris brandon brenda brian bridget britta bruno caitlin
    camila camille carl carla carlos carmen carol carole caroline carolina catarina catherine cathy
    cecilia celia celine céline cem chandra charles charlie charlotte chen chiara chloe chloé chris
    christa christian christina christine christoph christopher cindy claire clara claudia claus
    clemens connor conny consuelo cristina cynthia dagmar dan daniel daniela danielle darren dave
    david débora deborah deepak denis denise dennis derek diana diane diego dieter dimitri dirk
    dmitri dominik dominic dominique don donna dora doris dorothy doug duncan dylan ebru eduardo
    edward eileen ekaterina elena eleanor eleni elias elif elisa elisabeth elise eliza elizabeth
    ella ellen elsa emil emilia emilie emilio emily emma emmanuel enrique eric erica erik erika
    ernesto esteban ester esther ethan eva evan evelyn fabian fabio fatima fatma federico felicia
    felipe felix fernanda fernando fiona florence florian francesca francesco francisca francisco
    franck françois françoise frauke fred freya friedrich fritz gabriel gabriela gary gavin
    gemma geoff george georg georgia gerald gerard gerd gerhard giorgio giovanni gisela giulia
    giuseppe gloria gonzalo gordon graham greg gregor gregory greta guillaume guillermo günter
    gustavo hakan hamza hanna hannah hannes hans harald harry hassan hector héctor heather heidi
    heike heinz helen helena helene helga helmut hendrik henri henrik henry hiroshi holger hugo
    hussein ian ibrahim ida ignacio igor ines inés inga inge ingrid irene irina iris irma isaac
    isabel isabella isabelle ivan iván jaime jack jackie jacob jacqueline jacques jakob jakub
    james jamie jan jana jane janet janine jannik janusz jasmin jasmine jason javier jean jeanne
    jeff jennifer jenny jens jeremy jessica jessie jill jim jimena joachim joan joana joanna joao
    joão jochen joe joel johan johann johanna johannes john johnny jon jonas jonathan jordi jörg
    jorge josé jose josef joseph josephine josh joshua juan juana judith julia julian juliana julie
    julien juliet julio jürgen justin justine jutta karen karim karin karina karl karla karolina
    karsten kasia katarina kate katharina katherine kathleen kathrin kathy katja katrin katy kayla
    keiko keith kelly ken kenji kenneth kerstin kevin khalid kim kirsten klaus konrad krishna
    kristin kristina krzysztof kurt kyle lara larissa lars laura lauren laurent léa lena leo leon
    léon leonardo leonie leticia lia liam lidia lili lily lina linda lionel lisa liz lola lorena
    lorenzo louis louisa louise luc luca lucas lucia lucía lucie lucy ludwig luigi luis luisa lukas
    luke luz lydia lynn maciej madeleine magda magdalena maja malik manfred manon manuel manuela
    marc marcel marcin marco marcos marcus margaret margarita margot maria maría marian marianne
    marie marilyn marina mario marion marisa mark markus marlene marta martha martin martina mary
    mateo mateusz mathias mathieu mathilde matt matteo matthew matthias maurice mauricio max maxim
    maya megan mehmet mei melanie melissa mercedes merle mia michael michaela michał michel michele
    michelle miguel mikael mike mila milan miles mina miriam mohamed mohammad mohammed moira molly
    monica mónica monika monique moritz muhammad murat mustafa nadia nadine nancy naomi natalia
    natalie natasha nathalie nathan neha neil nele nicholas nick nicola nicolas nicole niels nigel
    nikita niklas nils nina nisha noah noemi noor nora norbert nuria olaf ole oleg olga oliver
    olivia olivier omar oscar óscar oskar otto owen pablo pamela paola paolo pascal patricia patrick
    patrik paul paula paulina pauline paulo pavel pawel pedro peggy penny per pete peter petra phil
    philip philipp philippe phoebe pia pierre pilar piotr priya rachel rafael rahul rainer raj ralf
    ralph ramón ramon raquel rashid raul raúl rebecca regina reiner renata renate rené rene ricardo
    richard rita rob robert roberta roberto robin rodrigo roger roland rolf roman ron ronald rosa
    rosario rosie ross roy rubén ruben rui russell ruth ryan sabine sabrina said sally salma sam
    samantha samir samuel sandra sandrine sara sarah sascha sasha scott sean sebastian sergei sergio
    serge seth shane shannon sharon sheila shirley sibylle sid silke silvia simon simona simone
    sofia sofía sonia sonja sophia sophie stefan stefanie stella stephan stephanie stephen steve
    steven stuart sue sunil susan susana susanne suzanne svenja sven svetlana sylvia sylvie tamara
    tania tanja tara tatiana ted teresa thea theo theresa thérèse thiago thomas thorsten tiago till
    tim timo timothy tina tobias toby todd tom tomas tomás tomasz tony torsten tracy ulf ulrich
    ulrike ursula uta ute uwe valentin valentina valeria valerie vanessa vera verena veronica
    verónica veronika victor víctor victoria vijay viktor viktoria vincent viola virginia vivian
    vladimir volker walter wanda wei wendy werner wilhelm will william wolfgang xavier xenia yan
    yannick yasmin yolanda youssef yuki yuri yusuf yves yvonne zoe zoé zofia
    """.split()
)
